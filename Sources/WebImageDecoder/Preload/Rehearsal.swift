import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageIsolation

/// The answers of a worker before it is asked: what Swift and the dynamic linker look for at first, they look for once, and not
/// for each picture.
enum Rehearsal {
    /// - Parameter file: A picture of the project's own, small enough to need no shared memory.
    static func run(_ kind: DecoderKind, with file: Data) {
        let options = ImageDecodeOptions()
        let channel = RehearsalChannel([
            .open(kind, .inline(file)), .properties(isComplete: true, options), .decode(options, asRows: false),
        ])
        WorkerService(channel: channel).run()
    }
}

/// An app whose requests are there from the beginning, and which hears nothing.
private final class RehearsalChannel: WorkerChannel {
    private let requests: Mutex<[WorkerRequest]>

    init(_ requests: [WorkerRequest]) { self.requests = Mutex(requests) }

    func receive() -> WorkerPacket? {
        let next = requests.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return next.map { WorkerPacket(bytes: $0.messageBytes) }
    }

    func send(_ packet: consuming WorkerPacket) -> Bool { true }
}
