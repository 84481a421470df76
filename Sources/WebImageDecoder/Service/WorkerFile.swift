import FoundationEssentials
import WebImageCore
import WebImageIsolation

/// Bytes that the app has sent.
enum WorkerFile {
    case inline(Data)
    case file(OwnedDescriptor, offset: Int, byteCount: Int)

    init(_ sent: SentBytes, _ descriptors: [OwnedDescriptor]) throws(WebImageError) {
        switch sent {
        case .inline(let data): self = .inline(data)
        case .file(let offset, let byteCount):
            guard let descriptor = descriptors.first else { throw .noFile }
            self = .file(descriptor, offset: offset, byteCount: byteCount)
        }
    }

    /// All bytes, without a copy of those that came in shared memory.
    func data() throws(WebImageError) -> Data {
        switch self {
        case .inline(let data): return data
        case .file(let descriptor, let offset, let byteCount):
            guard let memory = SharedBuffer(mapping: descriptor, byteCount: offset + byteCount),
                let start = memory.bytes.baseAddress
            else { throw .noMemory(for: "a file of \(byteCount) bytes") }
            return Data(
                bytesNoCopy: start + offset, count: byteCount,
                deallocator: .custom { _, _ in withExtendedLifetime(memory) {} })
        }
    }

    /// For files of the system, which are never mapped.
    var randomAccess: RandomAccessFile {
        switch self {
        case .inline(let data): RandomAccessFile(data)
        case .file(let descriptor, let offset, let byteCount):
            RandomAccessFile(descriptor, offset: offset, byteCount: byteCount)
        }
    }
}

extension WebImageError {
    /// The kernel gives this process no more.
    static func noMemory(for content: String) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the process that decodes has no memory for \(content); ask for a thumbnail or raise "
                + "ImageLimits.maximumDecodeMemory")
    }

    /// The app has not sent what it asks about, or it has not arrived.
    static var noFile: WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .policy,
            reason: "the picture did not reach the process that decodes it, which may lack memory")
    }
}
