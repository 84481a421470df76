import FoundationEssentials
import Glibc
import Synchronization
import WebImage

/// A file that is written and lies where it belongs, but does not bear its name yet.
package struct UnfinishedFile: Sendable {
    /// The name to come.
    package let path: String
    private let temporary: String

    /// Names of all such files, for an end that cannot wait.
    private static let all = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - directory: With a slash at its end, or empty.
    ///   - write: Gets the name that the file has meanwhile; what it leaves goes with its error.
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

    /// Gives the file its name; another one of that name goes. Where that fails, nothing of it is left.
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
