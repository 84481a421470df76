import FoundationEssentials
import Glibc
import Synchronization
import WebImage

/// A complete file that is in its directory under a temporary name.
package struct UnfinishedFile: Sendable {
    /// The final name.
    package let path: String
    private let temporary: String
    private let keepsExisting: Bool

    /// The temporary names of all such files, for an exit that cannot wait.
    private static let all = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - directory: With a trailing slash, or empty.
    ///   - keepsExisting: Whether a file that exists in the end is left as it is.
    ///   - write: Gets the temporary name; its file is removed when it throws.
    init(
        path: String, directory: String, keepsExisting: Bool = false,
        write: (_ temporary: String) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        self.path = path
        self.keepsExisting = keepsExisting
        temporary = "\(directory).webimage-\(UInt64.random(in: .min ... .max))"
        Self.all.withLock { [temporary] in _ = $0.insert(temporary) }
        do throws(WebImageError) {
            try write(temporary)
        } catch {
            discard()
            throw error
        }
    }

    /// Renames the file to its final name, replacing a file of that name unless it is kept. Removes it when that fails.
    ///
    /// - Returns: Whether the file has its final name; false when a file of that name is kept.
    @discardableResult
    package func finish() throws(WebImageError) -> Bool {
        if keepsExisting, let isDone = linkInPlace() {
            discard()
            return isDone
        }
        guard rename(temporary, path) == 0 else {
            let error = SystemError(errno).writing(path.printable)
            discard()
            throw error
        }
        forget()
        return true
    }

    /// Gives the file its final name as well, which fails where a file of that name exists, also one that another
    /// process has just made; nil where only a rename is possible, for instance on a file system without hard links.
    private func linkInPlace() -> Bool? {
        if link(temporary, path) == 0 { return true }
        return errno == EEXIST || access(path, F_OK) == 0 ? false : nil
    }

    package func discard() {
        unlink(temporary)
        forget()
    }

    private func forget() { Self.all.withLock { _ = $0.remove(temporary) } }

    static func discardAll() {
        for path in all.withLock({ $0 }) { unlink(path) }
    }
}
