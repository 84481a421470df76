import FoundationEssentials

/// Bytes on their way to a worker, with what they lie in where they are too many for a message.
struct OutgoingBytes {
    let sent: SentBytes
    let descriptors: [OwnedDescriptor]
    /// nil for a file of the system.
    private let content: Data?
    /// The worker reads it for as long as this is held.
    private let buffer: SharedBuffer?

    init(_ data: Data, from source: any WorkerSource) throws(WebImageError) {
        guard data.count > SentBytes.maximumInlineByteCount else {
            self.init(sent: .inline(data), descriptors: [], content: data, buffer: nil)
            return
        }
        let buffer = try source.makeBuffer(byteCount: data.count)
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

    /// The worker may go on writing there until its end.
    var lentByteCount: Int { buffer?.bytes.count ?? 0 }

    /// The same for equal bytes.
    var checksum: UInt64 { content.map { XXH3.checksum(of: $0.bytes) } ?? 0 }
}
