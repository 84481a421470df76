import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageIsolation

/// The connection of a worker that decodes as any other, until the fault that is planted in its picture.
final class FaultyChannel: WorkerChannel {
    private struct State {
        /// The packet by which the worker has found out that it is to decode.
        var first: (bytes: [UInt8], descriptors: [OwnedDescriptor])?
        var messageCount = 0
    }

    private let channel: any WorkerChannel
    private let fault: PlantedFault?
    private let state: Mutex<State>

    /// - Parameter first: nil where it is no request about a picture.
    init?(_ channel: any WorkerChannel, first: borrowing WorkerPacket) {
        guard let request = try? WorkerRequest(messageBytes: first.bytes) else { return nil }
        self.channel = channel
        fault = PlantedFault(in: request)
        state = Mutex(State(first: (first.bytes, first.descriptors)))
    }

    func receive() -> WorkerPacket? {
        let first = state.withLock { state in
            defer { state.first = nil }
            return state.first
        }
        if let first { return WorkerPacket(bytes: first.bytes, descriptors: first.descriptors) }
        strike()
        return channel.receive()
    }

    func send(_ packet: consuming WorkerPacket) -> Bool {
        strike()
        return channel.send(packet)
    }

    private func strike() {
        let count = state.withLock { state in
            state.messageCount += 1
            return state.messageCount
        }
        if let fault, fault.message == count { fault.commit(on: channel) }
    }
}

/// A fault that a picture brings: its last line, which decoders do not read, such as `fault: loop 3`.
struct PlantedFault {
    private let name: String
    /// The first has the number one.
    let message: Int

    init?(in request: WorkerRequest) {
        guard case .open(_, .inline(let data)) = request else { return nil }
        let line = String(decoding: data.suffix(40), as: UTF8.self).split(separator: "\n").last ?? ""
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, words[0] == "fault:", let message = Int(words[2]) else { return nil }
        (name, self.message) = (words[1], message)
    }

    func commit(on channel: any WorkerChannel) {
        switch name {
        case "flood": for _ in 0..<1_000_000 where !channel.send(WorkerPacket(bytes: [0, 255])) { return }
        case "parts": for _ in 0..<1_000_000 where !channel.send(WorkerPacket(bytes: [1, 0])) { return }
        default: Misdeed(rawValue: name)?.commit(1)
        }
    }
}
