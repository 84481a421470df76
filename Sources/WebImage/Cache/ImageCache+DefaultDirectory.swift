import Glibc
import Synchronization

extension ImageCache {
    /// Where ``shared`` keeps its files: `webimage` in the user's cache directory, which `XDG_CACHE_HOME` names, and which
    /// is `~/.cache` otherwise. All programs of the user share it, unless they choose one for themselves.
    ///
    /// Another one can be set before it is first used; caches that are there already stay where they are. Any thread.
    public static var defaultDirectory: String {
        get { chosenDirectory.withLock { $0 } ?? defaultDirectory { getenv($0).map { String(cString: $0) } } }
        set { chosenDirectory.withLock { $0 = newValue } }
    }

    /// Goes back to the directory that the environment names.
    public static func resetDefaultDirectory() { chosenDirectory.withLock { $0 = nil } }

    private static let chosenDirectory = Mutex<String?>(nil)

    /// The same for other environments. The XDG Base Directory Specification wants relative paths to be ignored.
    package static func defaultDirectory(environment: (String) -> String?) -> String {
        if let caches = environment("XDG_CACHE_HOME"), caches.hasPrefix("/") { return caches.joined(with: "webimage") }
        // A user without a home gets a directory that cannot be written, not one that others can write, as in /tmp.
        let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeOfUser() ?? "/"
        return home.joined(with: ".cache/webimage")
    }

    private static func homeOfUser() -> String? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
            guard let base = buffer.baseAddress, getpwuid_r(getuid(), &record, base, buffer.count, &found) == 0,
                found != nil, let directory = record.pw_dir
            else { return nil }
            return String(cString: directory)
        }
    }
}

extension String {
    fileprivate func joined(with component: String) -> String {
        hasSuffix("/") ? self + component : "\(self)/\(component)"
    }
}
