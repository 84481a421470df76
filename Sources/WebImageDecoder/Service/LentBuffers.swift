import Synchronization
import WebImage

/// The app's memory that this worker may write. A buffer that nothing refers to is used again.
final class LentBuffers: Sendable {
    private let channel: any WorkerChannel
    private let buffers = Mutex<[SharedBuffer]>([])

    init(_ channel: any WorkerChannel) { self.channel = channel }

    /// A buffer of at least `byteCount` bytes; asks the app for another one where it takes that. nil where it lends no more.
    func buffer(byteCount: Int) -> SharedBuffer? {
        if let unused = unused(byteCount) { return unused }
        guard buffers.withLock({ $0.count }) < WorkerRequest.maximumBufferCount,
            let lent = ask(byteCount)
        else { return nil }
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
