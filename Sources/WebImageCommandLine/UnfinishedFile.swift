import FoundationEssentials
import Glibc
import Synchronization
import WebImage

/// A complete file that is in its directory under a temporary name.
package struct UnfinishedFile: Sendable {
    /// The final name.
    package let path: String
    private let temporary: String

    /// The temporary names of all such files, for an exit that cannot wait.
    private static let all = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - directory: With a trailing slash, or empty.
    ///   - write: Gets the temporary name; its file is removed when it throws.
    init(
        path: String, directory: String, write: (_ temporary: String) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        self.path = path
        temporary = "\(directory).webimage-\(UInt64.random(in: .min ... .max))"
        Self.all.withLock { [temporary] in _ = $0.insert(temporary) }
        do throws(WebImageError) {
            try write(temporary)
        } catch {
            discard()
            throw error
        }
    }

    /// Renames the file to its final name, replacing a file of that name. Removes it when that fails.
    package func finish() throws(WebImageError) {
        guard rename(temporary, path) == 0 else {
            let error = SystemError(errno).writing(path.printable)
            discard()
            throw error
        }
        forget()
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
