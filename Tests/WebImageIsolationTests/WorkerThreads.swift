import Foundation
import Synchronization
import WebImageCore
import WebImageDecoder
import WebImageIsolation

/// Workers that are threads of this process, with the real service and the real coders.
final class WorkerThreads: WorkerSource {
    private let coders: @Sendable (DecoderKind) -> (any ImageCoder)?
    private let started = Atomic(0)
    private let running = Atomic(0)
    private let buffers = Atomic(0)

    init(coders: @escaping @Sendable (DecoderKind) -> (any ImageCoder)? = { $0.coder }) { self.coders = coders }

    /// The workers so far.
    var startedCount: Int { started.load(ordering: .relaxed) }
    /// Those that have not been ended.
    var runningCount: Int { running.load(ordering: .relaxed) }

    func makeWorker(for kind: DecoderKind, limits: ImageLimits) throws(WebImageError) -> any WorkerConnection {
        started.add(1, ordering: .relaxed)
        running.add(1, ordering: .relaxed)
        let (requests, replies) = (PacketQueue(), PacketQueue())
        let channel = ThreadChannel(requests: requests, replies: replies)
        let coders = coders
        Thread.detachNewThread {
            WorkerService(channel: channel, coders: coders).run()
            replies.close()
        }
        return ThreadConnection(requests: requests, replies: replies) { [weak self] in
            self?.running.subtract(1, ordering: .relaxed)
        }
    }

    /// The buffers that the app has made so far.
    var bufferCount: Int { buffers.load(ordering: .relaxed) }

    func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer {
        buffers.add(1, ordering: .relaxed)
        return try .unnamed(byteCount: byteCount)
    }
}

/// Packets from one thread to another.
private final class PacketQueue: Sendable {
    private struct State {
        var packets: [(bytes: [UInt8], descriptors: [OwnedDescriptor])] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)

    func add(_ packet: consuming WorkerPacket) -> Bool {
        let (bytes, descriptors) = (packet.bytes, packet.descriptors)
        let isTaken = state.withLock { state in
            guard !state.isClosed else { return false }
            state.packets.append((bytes, descriptors))
            return true
        }
        arrivals.signal()
        return isTaken
    }

    func close() {
        state.withLock { $0.isClosed = true }
        arrivals.signal()
    }

    /// - Parameter isWanted: Asked now and then.
    func take(while isWanted: () throws(WebImageError) -> Void = {}) throws(WebImageError) -> WorkerPacket? {
        while true {
            let next = state.withLock { $0.packets.isEmpty ? nil : $0.packets.removeFirst() }
            if let next { return WorkerPacket(bytes: next.bytes, descriptors: next.descriptors) }
            if state.withLock({ $0.isClosed }) { return nil }
            try isWanted()
            _ = arrivals.wait(timeout: .now() + .milliseconds(10))
        }
    }
}

private final class ThreadConnection: WorkerConnection {
    private let requests: PacketQueue
    private let replies: PacketQueue
    private let didEnd: @Sendable () -> Void

    init(requests: PacketQueue, replies: PacketQueue, didEnd: @escaping @Sendable () -> Void) {
        self.requests = requests
        self.replies = replies
        self.didEnd = didEnd
    }

    func send(_ packet: consuming WorkerPacket) throws(WebImageError) {
        guard packet.bytes.count <= WorkerPacket.maximumByteCount, requests.add(packet) else { throw Self.ended }
    }

    func receive(within options: ImageDecodeOptions) throws(WebImageError) -> WorkerPacket {
        guard let packet = try replies.take(while: options.checkCancellation) else { throw Self.ended }
        return packet
    }

    func begin(within limits: ImageLimits) -> Bool { true }

    func end() {
        requests.close()
        didEnd()
    }

    private static var ended: WebImageError {
        WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "the decoder has ended")
    }
}

private final class ThreadChannel: WorkerChannel {
    private let requests: PacketQueue
    private let replies: PacketQueue

    init(requests: PacketQueue, replies: PacketQueue) {
        self.requests = requests
        self.replies = replies
    }

    func receive() -> WorkerPacket? {
        do throws(WebImageError) { return try requests.take() } catch { return nil }
    }

    func send(_ packet: consuming WorkerPacket) -> Bool { replies.add(packet) }
}
