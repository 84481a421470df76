import FoundationEssentials
import WebImageCoders
import WebImageCore

/// Bytes on their way to a worker, with what they lie in where they are too many for a message.
struct OutgoingBytes {
    let sent: SentBytes
    let descriptors: [OwnedDescriptor]
    /// nil for a file of the system.
    private let content: Data?
    /// The worker reads it for as long as this is held.
    let buffer: SharedBuffer?

    /// - Parameter earlier: Memory in which the worker has got others, and does not need them any more.
    init(
        _ data: Data, from source: any WorkerSource, reusing earlier: [SharedBuffer] = []
    ) throws(WebImageError) {
        guard data.count > SentBytes.maximumInlineByteCount else {
            self.init(sent: .inline(data), descriptors: [], content: data, buffer: nil)
            return
        }
        let fitting = earlier.first { $0.bytes.count >= data.count }
        let buffer = if let fitting { fitting } else { try source.makeBuffer(byteCount: data.count) }
        data.withUnsafeBytes { buffer.bytes.copyMemory(from: $0) }
        self.init(
            sent: .file(offset: 0, byteCount: data.count), descriptors: [buffer.file], content: data, buffer: buffer)
    }

    /// A file of the system is handed on as it is, so that a large one need not be in memory.
    init(_ file: RandomAccessFile, from source: any WorkerSource) throws(WebImageError) {
        guard let (descriptor, offset) = file.shared else {
            try self.init(try file.everything(), from: source)
            return
        }
        self.init(
            sent: .file(offset: offset, byteCount: file.byteCount), descriptors: [descriptor], content: nil,
            buffer: nil)
    }

    private init(sent: SentBytes, descriptors: [OwnedDescriptor], content: Data?, buffer: SharedBuffer?) {
        self.sent = sent
        self.descriptors = descriptors
        self.content = content
        self.buffer = buffer
    }

    /// The same for equal bytes.
    var checksum: UInt64 { content.map { XXH3.checksum(of: $0.bytes) } ?? 0 }
}
