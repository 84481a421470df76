import CLinux
import FoundationEssentials
import Glibc
import Synchronization

/// A file, or a part of one, of which any bytes can be read: never mapped, since another process may cut it off.
///
/// A coder gets it for a large picture; see ``RegionImageFile``. Any thread, several at once.
public final class RandomAccessFile: Sendable {
    private enum Source {
        case descriptor(OwnedDescriptor, Int32, offset: Int)
        case data(Data)
    }

    /// The number of bytes when it was opened.
    public let byteCount: Int
    /// The mark of this version of the file, which a write changes; nil for bytes in memory.
    package let stamp: FileStamp?
    private let source: Source
    private let counter = Atomic(0)

    /// Bytes in memory.
    public init(_ data: Data) {
        source = .data(data)
        byteCount = data.count
        stamp = nil
    }

    /// Opens a regular file for reading.
    ///
    /// - Parameter path: Ends with a zero.
    package init(path: [UInt8]) throws(FileSystemError) {
        let name = String(decoding: path.dropLast(), as: UTF8.self)
        let number = path.withUnsafeBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        }
        guard let number, number >= 0 else { throw FileSystemError(.read, name, code: errno) }
        let descriptor = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileSystemError(.status, name, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileSystemError(.read, name, code: EISDIR) }
        source = .descriptor(descriptor, number, offset: 0)
        byteCount = Int(status.st_size)
        stamp = FileStamp(status)
    }

    /// Opens a regular file for reading. It stays readable when the file is removed or replaced.
    ///
    /// - Throws: ``WebImageError/Code/fileNotFound``, ``WebImageError/Code/accessDenied`` or
    ///   ``WebImageError/Code/fileFailed``.
    public convenience init(path: String) throws(WebImageError) {
        do throws(FileSystemError) { try self.init(path: Array(path.utf8) + [0]) } catch {
            throw error.webImageError(stage: .disk)
        }
    }

    /// A part of an open file, from another process.
    package convenience init(_ descriptor: OwnedDescriptor, offset: Int, byteCount: Int) {
        self.init(.descriptor(descriptor, descriptor.number, offset: offset), byteCount: byteCount)
    }

    private init(_ source: Source, byteCount: Int) {
        self.source = source
        self.byteCount = byteCount
        stamp = nil
    }

    /// The open file, for another process, and where this one begins in it; nil for bytes in memory.
    package var shared: (descriptor: OwnedDescriptor, offset: Int)? {
        guard case .descriptor(let descriptor, _, let offset) = source else { return nil }
        return (descriptor, offset)
    }

    /// A part of the file as a file of its own; nil for a range that is not within it.
    public func part(_ range: Range<Int>) -> RandomAccessFile? {
        guard range.lowerBound >= 0, range.upperBound <= byteCount else { return nil }
        switch source {
        case .data(let data):
            return RandomAccessFile(data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
        case .descriptor(let descriptor, let number, let offset):
            return RandomAccessFile(
                .descriptor(descriptor, number, offset: offset + range.lowerBound), byteCount: range.count)
        }
    }

    /// The bytes read so far, by all readers.
    package var readByteCount: Int { counter.load(ordering: .relaxed) }

    /// Reads bytes: fewer than wanted at the end of the file, also where it was cut off since it was opened.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileSystemError) -> Int {
        let wanted = min(buffer.count, byteCount - offset)
        guard offset >= 0, wanted > 0 else { return 0 }
        let count: Int
        switch source {
        case .data(let data):
            data.copyBytes(to: buffer, from: data.startIndex + offset..<data.startIndex + offset + wanted)
            count = wanted
        case .descriptor(_, let number, let start):
            count = try Self.read(
                number, at: start + offset, UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
        }
        counter.add(count, ordering: .relaxed)
        return count
    }

    private static func read(
        _ number: Int32, at offset: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(FileSystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let step = pread(number, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, offset + filled)
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw FileSystemError(.read, "the picture", code: errno) }
            guard step > 0 else { break }
            filled += step
        }
        return filled
    }

    /// The bytes of a range, or fewer at the end of the file.
    ///
    /// - Throws: ``WebImageError/Code/fileFailed``.
    public func bytes(at offset: Int, count: Int) throws(WebImageError) -> [UInt8] {
        var failure: FileSystemError?
        let wanted = max(0, min(count, byteCount - offset))
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            do throws(FileSystemError) {
                filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure.webImageError(stage: .decode) }
        return bytes
    }

    /// The whole file, for decoders that need it in memory.
    package func all() throws(FileSystemError) -> Data {
        if case .data(let data) = source { return data }
        var data = Data(count: byteCount)
        let result = data.withUnsafeMutableBytes { buffer in
            Result { () throws(FileSystemError) in try read(at: 0, into: buffer) }
        }
        return data.prefix(try result.get())
    }
}

/// The properties of a file that change when it is written again.
package struct FileStamp: Sendable, Hashable {
    /// In the order in which they are kept.
    package let numbers: [Int64]

    init(_ status: stat) {
        numbers = [
            Int64(status.st_size), Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_mtim.tv_sec),
            Int64(status.st_mtim.tv_nsec),
        ]
    }
}
