import CProcess
import Glibc
import Synchronization

/// A worker that has been forked for the app.
package final class SocketConnection: WorkerConnection {
    private struct State {
        /// Why the worker has ended.
        var ending: WebImageError?
        /// What the worker may have mapped: nobody else gets it before the worker's end.
        var lent: [OwnedDescriptor] = []
    }

    private let socket: PacketSocket
    private let worker: WorkerProcess
    private let limits: ImageLimits
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    /// In milliseconds, between two looks at the cancellation and at the clocks.
    private static let step = 10 as Int32
    /// In milliseconds: the kernel closes the connection of a process a moment before it has ended.
    private static let momentOfDeath = 500 as Int32

    init(_ socket: PacketSocket, to worker: WorkerProcess, limits: ImageLimits) {
        self.socket = socket
        self.worker = worker
        self.limits = limits
    }

    deinit { end() }

    package func send(_ packet: consuming WorkerPacket) throws(WebImageError) {
        try checkIsRunning()
        state.withLock { [descriptors = packet.descriptors] in $0.lent += descriptors }
        let watch = WorkerWatch(worker, limits: limits)
        while true {
            switch socket.send(packet, waits: false) {
            case .sent: return
            case .end: throw end(because: .closed)
            case .full:
                if watch.isOver { throw end(because: .tookTooLong(limits)) }
                poll(nil, 0, Self.step)
            }
        }
    }

    package func receive(within options: ImageDecodeOptions) throws(WebImageError) -> WorkerPacket {
        try checkIsRunning()
        let watch = WorkerWatch(worker, limits: options.limits)
        if WorkerWatch.hasLived(since: start, tooLongFor: limits) { throw end(because: .tookTooLong(limits)) }
        while true {
            let ready = webimage_wait_for_either(socket.descriptor.number, worker.descriptor.number, Self.step)
            if ready != 0 {
                switch socket.receive(waits: false) {
                case .packet(let packet): return packet
                // What was told is read even where the worker has ended since.
                case .nothing: if ready & 2 != 0 { throw end(because: .closed) }
                case .end: throw end(because: .closed)
                case .cut: throw end(because: .lied)
                }
            }
            if options.cancellation?.isCancelled == true { throw end(because: .cancelled) }
            if watch.isOver { throw end(because: .tookTooLong(options.limits)) }
        }
    }

    /// Sends a signal to the worker, for tests.
    func signal(_ number: Int32) { _ = webimage_signal_process(worker.descriptor.number, number) }

    package func end() { _ = end(because: .unwanted) }

    private func checkIsRunning() throws(WebImageError) {
        if let ending = state.withLock({ $0.ending }) { throw ending }
    }

    /// Ends the worker, once: later calls get the first reason.
    private func end(because reason: WorkerEndReason) -> WebImageError {
        state.withLock { state in
            if let ending = state.ending { return ending }
            if reason == .closed, !worker.ends(within: Self.momentOfDeath) { return end(&state, because: .lied) }
            return end(&state, because: reason)
        }
    }

    private func end(_ state: inout State, because reason: WorkerEndReason) -> WebImageError {
        let time = worker.processorTime ?? .zero
        let error = reason.error(after: worker.end(), using: time, limits: limits)
        state.ending = error
        state.lent = []
        socket.descriptor.close()
        return error
    }
}
