import Synchronization
import WebImageCore
import WebImageIsolation

/// The messages from the worker to the app. Any thread, as far as one at a time speaks.
final class WorkerOutput: Sendable {
    let buffers: LentBuffers
    private let channel: any WorkerChannel
    /// The app takes only some.
    private let remainingWarnings = Mutex(0)
    private static let warningCount = 4

    init(_ channel: any WorkerChannel) {
        self.channel = channel
        buffers = LentBuffers(channel)
    }

    /// A request has come.
    func begin() { remainingWarnings.withLock { $0 = Self.warningCount } }

    /// - Returns: False where the app has ended.
    func answer(_ reply: WorkerReply) -> Bool {
        remainingWarnings.withLock { $0 = 0 }
        return channel.say(reply)
    }

    /// Something on the way to the answer, which the app takes before the worker goes on.
    ///
    /// - Returns: False where the app has ended.
    func hand(_ reply: WorkerReply) -> Bool {
        guard channel.say(reply), let packet = channel.receive() else { return false }
        return (try? WorkerRequest(messageBytes: packet.bytes)) == .goOn
    }

    func report() { _ = channel.say(.progress) }

    func warn(_ text: String) {
        let isTaken = remainingWarnings.withLock { remaining in
            defer { remaining = max(0, remaining - 1) }
            return remaining > 0
        }
        if isTaken { _ = channel.say(.warning(text)) }
    }

    /// Memory for the pixels of a bitmap, which then need not be brought anywhere. One buffer is left for those that are
    /// elsewhere.
    func pixelMemory(byteCount: Int) -> SharedBuffer? { buffers.buffer(byteCount: byteCount, keepsOne: true) }

    /// Brings pixels to where the app finds them.
    func place(_ bitmap: Bitmap) throws(WebImageError) -> PixelPlace {
        guard bitmap.byteCount > PixelPlace.maximumInlineByteCount else {
            return .inline(bitmap.withUnsafeBytes { Array($0) })
        }
        if let own = bitmap.sharedBuffer, let index = buffers.index(of: own) {
            return .buffer(index: index, offset: 0)
        }
        guard let buffer = buffers.buffer(byteCount: bitmap.byteCount), let index = buffers.index(of: buffer) else {
            throw .noMemory(for: "\(bitmap.size) pixels")
        }
        bitmap.withUnsafeBytes { buffer.bytes.copyMemory(from: $0) }
        return .buffer(index: index, offset: 0)
    }
}
