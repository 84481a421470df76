import CProcess
import Glibc
import Synchronization
import WebImageCore

/// A worker that has been forked for the app.
package final class SocketConnection: WorkerConnection {
    private struct State {
        /// Why the worker has ended.
        var ending: WebImageError?
        /// Memory that the worker may have mapped: no other worker gets it before this one's end.
        var lent: [OwnedDescriptor] = []
        /// Those of the picture, and when it began.
        var limits: ImageLimits
        var start = SuspendingClock.now
        /// The time of the answer that is waited for; nil before one.
        var watch: WorkerWatch?
        var afterFirstAnswer: (@Sendable () -> Void)?
    }

    private let socket: PacketSocket
    private let worker: WorkerProcess
    private let background: BackgroundWork
    private let state: Mutex<State>

    /// In milliseconds, between two looks at the cancellation and at the clocks.
    private static let step = 10 as Int32

    init(_ socket: PacketSocket, to worker: WorkerProcess, limits: ImageLimits, background: BackgroundWork) {
        self.socket = socket
        self.worker = worker
        self.background = background
        state = Mutex(State(limits: limits))
    }

    deinit { dismiss() }

    package func begin(within limits: ImageLimits) -> Bool {
        state.withLock { state in
            let isQuiet = webimage_wait_for_either(socket.descriptor.number, worker.descriptor.number, 0) == 0
            guard state.ending == nil, isQuiet,
                WorkerWatch.hasTimeLeft(after: worker.processorTime, of: state.limits.workerAllowance)
            else { return false }
            state.limits = limits
            state.start = .now
            state.watch = nil
            return true
        }
    }

    /// Performs work once the worker has said something for the first time, or ends before.
    func afterFirstAnswer(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.afterFirstAnswer = work } }

    private func noteAnswer() {
        let work = state.withLock { state in
            defer { state.afterFirstAnswer = nil }
            return state.afterFirstAnswer
        }
        work?()
    }

    package func send(_ packet: consuming WorkerPacket) throws(WebImageError) {
        let limits = try state.withLock { [descriptors = packet.descriptors] state throws(WebImageError) in
            if let ending = state.ending { throw ending }
            state.lent += descriptors
            return state.limits
        }
        // Nearly always there is room, and nothing to wait for.
        var watch: WorkerWatch?
        while true {
            switch socket.send(packet, waits: false) {
            case .sent: return
            case .end: throw end(because: .closed)
            case .full:
                let running = watch ?? WorkerWatch(worker, limits: limits)
                watch = running
                if running.isOver { throw end(because: .tookTooLong(limits)) }
                poll(nil, 0, Self.step)
            }
        }
    }

    package func beginAnswer() { state.withLock { $0.watch = nil } }

    package func receive(within options: ImageDecodeOptions) throws(WebImageError) -> WorkerPacket {
        let (limits, start, watch) = try state.withLock { state throws(WebImageError) in
            if let ending = state.ending { throw ending }
            let watch = state.watch ?? WorkerWatch(worker, limits: options.limits)
            state.watch = watch
            return (state.limits, state.start, watch)
        }
        if WorkerWatch.hasLived(since: start, tooLongFor: limits) { throw end(because: .tookTooLong(limits)) }
        while true {
            let ready = webimage_wait_for_either(socket.descriptor.number, worker.descriptor.number, Self.step)
            if ready != 0 {
                switch socket.receive(waits: false) {
                case .packet(let packet):
                    noteAnswer()
                    return packet
                // Bytes that the worker sent before its end are still read.
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

    package func end() {
        defer { noteAnswer() }
        state.withLock { state in
            guard state.ending == nil else { return }
            worker.end()
            state.ending = .cancelled()
            state.lent = []
            socket.descriptor.close()
            background.add { [worker] in _ = worker.collect() }
        }
    }

    package func dismiss() {
        defer { noteAnswer() }
        state.withLock { state in
            guard state.ending == nil else { return }
            worker.kill()
            state.ending = .cancelled()
            socket.descriptor.close()
            background.add { [worker, lent = state.lent] in
                worker.end()
                withExtendedLifetime(lent) {}
                _ = worker.collect()
            }
            state.lent = []
        }
    }

    /// Ends the worker, once: later calls get the first reason.
    private func end(because reason: WorkerEndReason) -> WebImageError {
        defer { noteAnswer() }
        return state.withLock { state in
            if let ending = state.ending { return ending }
            return end(&state, because: reason)
        }
    }

    private func end(_ state: inout State, because reason: WorkerEndReason) -> WebImageError {
        let time = worker.processorTime ?? .zero
        worker.end()
        let error = reason.error(after: worker.collect(), using: time, limits: state.limits)
        state.ending = error
        state.lent = []
        socket.descriptor.close()
        return error
    }
}
