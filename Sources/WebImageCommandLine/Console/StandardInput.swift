import FoundationEssentials
import Glibc
import WebImage

/// Standard input, as the source of a picture.
package enum StandardInput {
    /// Whether the input would come from a keyboard.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// The maximum number of bytes.
    private static let limit = 256 << 20

    /// Reads to the end, however long that takes.
    ///
    /// - Throws: ``WebImageError/Code/cancelled`` soon after the flag is raised, ``WebImageError/Code/limitExceeded`` or
    ///   ``WebImageError/Code/fileFailed``.
    package static func readAll(until cancellation: CancellationFlag) throws(WebImageError) -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if cancellation.isCancelled { throw .cancelled() }
            guard isReady() else { continue }
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return data }
            if count < 0 {
                guard errno == EINTR || errno == EAGAIN else { throw failure("cannot be read: \(SystemError(errno))") }
                continue
            }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= limit else {
                throw failure("has more than \(limit) bytes; give a smaller picture", .limitExceeded)
            }
        }
    }

    /// Whether a read would return at once. Waits a tenth of a second at most, since a cancellation does not interrupt
    /// the wait.
    private static func isReady() -> Bool {
        var question = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 100) != 0
    }

    private static func failure(_ finding: String, _ code: WebImageError.Code = .fileFailed) -> WebImageError {
        WebImageError(code, stage: .load, kind: .permanent, reason: "standard input \(finding)")
    }
}
