import CLinux
import FoundationEssentials
import Glibc
import WebImageCore

/// A regular file, open for reading.
///
/// It uses `read` and not `mmap`: if another process truncates a mapped file, SIGBUS ends this process.
package struct FileReader: ~Copyable {
    private let path: FilePath
    private let descriptor: Int32

    private static let chunk = 4 << 20
    /// Enough for the header of most files.
    private static let firstReportedChunk = 32 << 10

    /// A file that is open, whose descriptor the reader closes.
    package init(_ path: FilePath, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    package static func open(_ path: FilePath) throws(WebImageError) -> FileReader {
        // O_NONBLOCK: open() does not wait for the other end of a pipe; it has no effect on regular files.
        let descriptor = (path.bytes + [0]).withUnsafeBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        }
        guard let descriptor, descriptor >= 0 else { throw .file(errno) }
        return FileReader(path, descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// The file as it is now.
    package var revision: FileRevision? { FileRevision(path: path.bytes, descriptor: descriptor) }

    /// The bytes up to the end of the file, which may have changed its length since it was opened.
    ///
    /// - Parameter report: Gets each piece before the next one is read. Pieces begin small and grow, for readers that
    ///   may need only the beginning.
    package func readAll(
        limit: Int, cancellation: CancellationFlag, report: ((Data, LoadProgress) -> Void)? = nil
    ) throws(WebImageError) -> Data {
        let byteCount = try regularByteCount()
        guard byteCount <= limit else { throw .fileTooLarge(byteCount, limit: limit) }
        var buffer = BodyBuffer()
        // One byte more than expected, so that the end is found without growing the buffer.
        var wanted = min(byteCount, limit) + 1
        var chunk = report == nil ? Self.chunk : Self.firstReportedChunk
        while !cancellation.isCancelled {
            let count = try read(upTo: min(wanted, chunk), into: &buffer)
            if count == 0 {
                guard buffer.count > 0 else { throw .emptyFile }
                return buffer.takeData()
            }
            guard buffer.count <= limit else { throw .fileTooLarge(buffer.count, limit: limit) }
            wanted = max(wanted - count, 4096)
            chunk = min(2 * chunk, Self.chunk)
            report?(
                buffer.data(from: buffer.count - count),
                LoadProgress(receivedByteCount: buffer.count, expectedByteCount: byteCount))
        }
        throw .cancelled()
    }

    private func regularByteCount() throws(WebImageError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .file(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return Int(status.st_size)
        case S_IFDIR: throw .file("it is a directory; name a file in it")
        default: throw .file("it is not a regular file; copy it into one")
        }
    }

    private func read(upTo wanted: Int, into buffer: inout BodyBuffer) throws(WebImageError) -> Int {
        let result = buffer.withFreeSpace(atLeast: wanted) { space in
            repeat {
                let count = Glibc.read(descriptor, space.baseAddress, wanted)
                if count >= 0 { return (count, Int32(0)) }
            } while errno == EINTR
            return (0, errno)
        }
        guard let (count, error) = result else { throw .noMemoryForBody(buffer.count + wanted) }
        guard error == 0 else { throw .file(error) }
        buffer.advance(by: count)
        return count
    }
}

extension WebImageError {
    /// The system's error for a file, by its `errno`.
    package static func file(_ number: Int32) -> WebImageError {
        switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
            WebImageError(
                .fileNotFound, stage: .load, kind: .permanent, reason: "there is no such file; check the path")
        case EACCES, EPERM:
            WebImageError(
                .accessDenied, stage: .load, kind: .permanent,
                reason: "the file may not be read; check its permissions and those of its directories")
        case EMFILE, ENFILE:
            WebImageError(
                .fileFailed, stage: .load, kind: .transient,
                reason: "too many files are open; close some or raise the limit (ulimit -n)")
        default:
            WebImageError(
                .fileFailed, stage: .load, kind: .transient,
                reason: "reading the file failed: \(String(systemError: number))")
        }
    }

    fileprivate static func file(_ reason: String) -> WebImageError {
        WebImageError(.fileFailed, stage: .load, kind: .permanent, reason: reason)
    }

    fileprivate static func fileTooLarge(_ byteCount: Int, limit: Int) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .load, kind: .policy,
            reason: "the file of \(byteCount) bytes is larger than the limit of \(limit) bytes; "
                + "raise the loader's maximumByteCount if it is meant to be")
    }

    fileprivate static let emptyFile = WebImageError(
        .badImageData, stage: .load, kind: .permanent, reason: "the file is empty")
}
