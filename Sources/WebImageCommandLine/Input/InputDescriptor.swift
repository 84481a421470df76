import FoundationEssentials
import Glibc
import WebImage

/// An open file, pipe or terminal that is read.
package struct InputDescriptor {
    private let number: Int32
    /// In errors.
    private let name: String

    package static let standardInput = InputDescriptor(number: STDIN_FILENO, name: "standard input")

    /// The maximum number of bytes.
    private static let limit = 256 << 20

    /// Reads a file or a pipe to its end.
    ///
    /// - Throws: As ``readAll(until:)``, and when it cannot be opened.
    package static func readAll(
        path: String, until cancellation: CancellationFlag
    ) throws(WebImageError) -> Data {
        // Not blocking: a pipe that nobody writes to would wait for a writer, and hear of no cancellation.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw InputDescriptor(number: -1, name: path.printable).unreadable()
        }
        defer { close(descriptor) }
        return try InputDescriptor(number: descriptor, name: path.printable).readAll(until: cancellation)
    }

    /// Reads to the end, however long that takes.
    ///
    /// - Throws: ``WebImageError/Code/cancelled`` soon after the flag is raised, ``WebImageError/Code/limitExceeded`` or
    ///   ``WebImageError/Code/fileFailed``.
    package func readAll(until cancellation: CancellationFlag) throws(WebImageError) -> Data {
        var data = Data()
        while let bytes = try next(until: cancellation) {
            data.append(contentsOf: bytes)
            guard data.count <= Self.limit else {
                throw failure("has more than \(Self.limit) bytes; give less", .limitExceeded)
            }
        }
        return data
    }

    /// Reads a line as a person types it, without its end; nil at the end of the input.
    ///
    /// - Throws: As ``readAll(until:)``.
    package func readLine(until cancellation: CancellationFlag) throws(WebImageError) -> String? {
        var line: [UInt8] = []
        while !line.contains(UInt8(ascii: "\n")), line.count <= Self.limit {
            guard let bytes = try next(until: cancellation) else { break }
            line += bytes
        }
        return line.isEmpty ? nil : String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Waits for more bytes; nil at the end.
    private func next(until cancellation: CancellationFlag) throws(WebImageError) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if cancellation.isCancelled { throw .cancelled() }
            guard isReady() else { continue }
            let count = read(number, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 { return nil }
            guard errno == EINTR || errno == EAGAIN else { throw unreadable() }
        }
    }

    /// Whether a read would return at once. Waits a tenth of a second at most, since a cancellation does not interrupt
    /// the wait.
    private func isReady() -> Bool {
        var question = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 100) != 0
    }

    private func unreadable() -> WebImageError { failure("cannot be read: \(SystemError(errno))") }

    private func failure(_ finding: String, _ code: WebImageError.Code = .fileFailed) -> WebImageError {
        WebImageError(code, stage: .load, kind: .permanent, reason: "\(name) \(finding)")
    }
}
