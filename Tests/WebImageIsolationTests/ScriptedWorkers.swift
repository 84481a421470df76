import FoundationEssentials
import Glibc
import Synchronization
import WebImageCore

@testable import WebImageIsolation

/// Workers that answer each request with what a test wants. One that has no answer is silent.
final class ScriptedWorkers: WorkerSource {
    typealias Script = @Sendable (WorkerRequest) -> [[UInt8]]

    private struct State {
        var startedCount = 0
        var endedCount = 0
        var heard: [WorkerRequest] = []
    }

    private let script: Script
    private let lostCount: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - lostCount: So many workers are the first, and end with their helper before they answer.
    ///   - script: The packets that follow a request.
    init(losing lostCount: Int = 0, packets script: @escaping Script) {
        self.lostCount = lostCount
        self.script = script
    }

    convenience init(losing lostCount: Int = 0, _ script: @escaping @Sendable (WorkerRequest) -> [WorkerReply]) {
        self.init(losing: lostCount) { request in
            script(request).flatMap { MessageParts.packets(of: $0.messageBytes) ?? [] }
        }
    }

    var startedCount: Int { state.withLock { $0.startedCount } }
    var endedCount: Int { state.withLock { $0.endedCount } }
    var heard: [WorkerRequest] { state.withLock { $0.heard } }

    func makeWorker(for kind: DecoderKind, limits: ImageLimits) throws(WebImageError) -> any WorkerConnection {
        let number = state.withLock { state in
            state.startedCount += 1
            return state.startedCount
        }
        return Connection(self, isLost: number <= lostCount)
    }

    func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer { try .unnamed(byteCount: byteCount) }

    private final class Connection: WorkerConnection {
        private let workers: ScriptedWorkers
        private let isLost: Bool
        private let packets = Mutex<[[UInt8]]>([])

        init(_ workers: ScriptedWorkers, isLost: Bool) {
            self.workers = workers
            self.isLost = isLost
        }

        func send(_ packet: consuming WorkerPacket) throws(WebImageError) {
            guard let request = try? WorkerRequest(messageBytes: packet.bytes) else { return }
            workers.state.withLock { $0.heard.append(request) }
            let answer = workers.script(request)
            packets.withLock { $0 += answer }
        }

        func receive(within options: ImageDecodeOptions) throws(WebImageError) -> WorkerPacket {
            if isLost { throw .lostDecoder }
            while true {
                if let bytes = packets.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                    return WorkerPacket(bytes: bytes)
                }
                try options.checkCancellation()
                sched_yield()
            }
        }

        func begin(within limits: ImageLimits) -> Bool { !isLost }

        func end() { workers.state.withLock { $0.endedCount += 1 } }
    }
}

extension SharedBuffer {
    /// Memory that any number of mappings share.
    static func unnamed(byteCount: Int) throws(WebImageError) -> SharedBuffer {
        let path = "/dev/shm/webimage-test-\(UInt64.random(in: .min ... .max))"
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
        guard number >= 0, ftruncate(number, byteCount) == 0,
            let buffer = SharedBuffer(mapping: OwnedDescriptor(number), byteCount: byteCount)
        else { throw .outOfMemory(for: PixelSize(width: byteCount, height: 1)) }
        return buffer
    }
}
