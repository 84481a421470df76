import Synchronization
import WebImageCore
import WebImageIsolation

/// The app's memory that this worker may write. A buffer that nothing refers to is used again.
final class LentBuffers: Sendable {
    private let channel: any WorkerChannel
    private let buffers = Mutex<[SharedBuffer]>([])
    /// An app without memory is not asked again.
    private let isRefused = Atomic(false)

    init(_ channel: any WorkerChannel) { self.channel = channel }

    /// A buffer of at least `byteCount` bytes; asks the app for another one where it takes that.
    ///
    /// - Parameter keepsOne: Whether one buffer is left to others.
    /// - Returns: nil where the app lends no more.
    func buffer(byteCount: Int, keepsOne: Bool = false) -> SharedBuffer? {
        if let unused = unused(byteCount) { return unused }
        let most = WorkerRequest.maximumBufferCount - (keepsOne ? 1 : 0)
        guard !isRefused.load(ordering: .relaxed), buffers.withLock({ $0.count }) < most else { return nil }
        guard let lent = ask(byteCount) else {
            isRefused.store(true, ordering: .relaxed)
            return nil
        }
        buffers.withLock { $0.append(lent) }
        return lent
    }

    /// The place of a buffer in the order in which the app has lent them.
    func index(of buffer: SharedBuffer) -> Int? { buffers.withLock { $0.firstIndex { $0 === buffer } } }

    private func unused(_ byteCount: Int) -> SharedBuffer? {
        buffers.withLock { buffers in
            for index in buffers.indices
            where buffers[index].bytes.count >= byteCount && isKnownUniquelyReferenced(&buffers[index]) {
                return buffers[index]
            }
            return nil
        }
    }

    private func ask(_ byteCount: Int) -> SharedBuffer? {
        guard channel.say(.needsBuffer(byteCount: byteCount)), let packet = channel.receive(),
            case .buffer(let lentByteCount) = try? WorkerRequest(messageBytes: packet.bytes),
            let file = packet.descriptors.first
        else { return nil }
        return SharedBuffer(mapping: file, byteCount: lentByteCount)
    }
}

extension WorkerChannel {
    /// - Returns: False where the app has ended, or the message is too long for it.
    func say(_ reply: WorkerReply) -> Bool {
        guard let packets = MessageParts.packets(of: reply.messageBytes) else { return false }
        return packets.allSatisfy { send(WorkerPacket(bytes: $0)) }
    }
}
