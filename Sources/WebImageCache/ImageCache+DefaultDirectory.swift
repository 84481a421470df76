import Glibc
import Synchronization

extension ImageCache {
    /// The directory of ``shared``: `<program>/webimage` in the user's cache directory, which is `XDG_CACHE_HOME`, or
    /// `~/.cache` where that is not set. `<program>` is the identifier of the program's `GApplication`, where
    /// `WebImageGTK` is used and there is one, and otherwise the name of its executable. So each program has its own
    /// cache with its own limits; programs can share one by setting the same directory.
    ///
    /// Set it before the first use of ``shared``; existing caches keep their directory. Any thread.
    public static var defaultDirectory: String {
        get {
            chosenDirectory.withLock { $0 }
                ?? defaultDirectory(program: programIdentifier) { getenv($0).map { String(cString: $0) } }
        }
        set { chosenDirectory.withLock { $0 = newValue } }
    }

    /// Restores the directory of the environment.
    package static func resetDefaultDirectory() { chosenDirectory.withLock { $0 = nil } }

    private static let chosenDirectory = Mutex<String?>(nil)

    /// Returns the identifier of the program's `GApplication`; nil where there is none.
    package static let applicationIdentifier = Mutex<(@Sendable () -> String?)?>(nil)

    /// The identifier of the program in the user's cache directory.
    private static var programIdentifier: String {
        let identifier = applicationIdentifier.withLock { $0 }
        return identifier?() ?? executableName ?? "program"
    }

    /// The kernel's name for the file, whatever name the program was started by.
    private static var executableName: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        return String(cString: path).split(separator: "/").last.map(String.init)
    }

    /// The same for other programs and environments. The XDG Base Directory Specification requires that relative paths
    /// are ignored.
    package static func defaultDirectory(program: String, environment: (String) -> String?) -> String {
        let name = "\(program.asDirectoryName)/webimage"
        if let caches = environment("XDG_CACHE_HOME"), caches.hasPrefix("/") { return caches.joined(with: name) }
        // A user without a home gets a directory that cannot be written, not one that other users can write, as in
        // /tmp.
        let home = environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeOfUser() ?? "/"
        return home.joined(with: ".cache/\(name)")
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
