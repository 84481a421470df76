import Glibc
import Synchronization
import WebImageCore

/// A helper program that workers of the app are forked from: started for the first picture, and again once where it has
/// ended. Any thread.
package final class DecoderProcess: WorkerSource {
    private struct State {
        var helper: DecoderHelper?
        /// Why the program was not ready at its last start, and until when it is not started again.
        var failure: (reason: HelperFailure, end: ContinuousClock.Instant)?
    }

    let path: String
    private let role: HelperRole
    private let buffers: SharedBufferPool
    private let requiredLevel: DecoderIsolation.Level
    private let patience: Int32
    private let spares: SpareWorkers?
    private let background: BackgroundWork
    private let state = Mutex(State())
    private let notice: LevelNotice

    /// - Parameters:
    ///   - requiredLevel: Below it there is no worker.
    ///   - patience: Milliseconds: longer than any answer of the helper takes on a machine that works.
    ///   - spares: Has workers ready for the next pictures; nil for none.
    init(
        path: String, role: HelperRole = .pictures, requiredLevel: DecoderIsolation.Level = .minimum,
        buffers: SharedBufferPool = .shared, notice: LevelNotice = LevelNotice(), patience: Int32 = 20_000,
        spares: SpareWorkers? = SpareWorkers(), background: BackgroundWork = BackgroundWork()
    ) {
        self.path = path
        self.role = role
        self.notice = notice
        self.requiredLevel = requiredLevel
        self.buffers = buffers
        self.patience = patience
        self.spares = spares
        self.background = background
    }

    package func makeWorker(
        for kind: DecoderKind, limits: ImageLimits
    ) throws(WebImageError) -> any WorkerConnection {
        do throws(HelperFailure) {
            let helper = try running()
            notice.tell(helper.abilities)
            try check(helper.abilities, for: kind)
            let key = SpareWorkers.Key(kind: kind, allowance: limits.workerAllowance)
            let spare = spares?.take(key, within: limits)
            let worker = if let spare { spare } else { try fork(kind, limits, by: helper) }
            // Its fork would only delay this one's answer.
            worker.afterFirstAnswer { [weak self] in self?.orderSpare(key, limits) }
            return worker
        } catch {
            throw error.webImageError
        }
    }

    private func fork(
        _ kind: DecoderKind, _ limits: ImageLimits, by helper: DecoderHelper
    ) throws(HelperFailure) -> SocketConnection {
        do throws(HelperFailure) {
            return try helper.fork(kind, limits: limits)
        } catch {
            guard case .ended = error else { throw error }
            return try running(insteadOf: helper).fork(kind, limits: limits)
        }
    }

    /// For the next picture of the same kind.
    private func orderSpare(_ key: SpareWorkers.Key, _ limits: ImageLimits) {
        spares?.order(key, in: background) { [weak self] in
            // A helper that has ended is started by a picture, which then knows of it.
            guard let helper = self?.state.withLock({ $0.helper }) else { return nil }
            return try? helper.fork(key.kind, limits: limits)
        }
    }

    /// Waits until everything has ended that should, and is ready that should be, for tests.
    func settle() { background.finish() }

    package func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer {
        try buffers.makeBuffer(byteCount: byteCount)
    }

    /// The kinds that the helper decodes, and the measures that lock its workers in. Starts it if it does not run.
    package func abilities() throws(WebImageError) -> HelperAbilities {
        do throws(HelperFailure) { return try running().abilities } catch { throw error.webImageError }
    }

    /// Ends the helper and all workers; the next picture starts another one.
    package func end() {
        let old = state.withLock { $0.helper.take() }
        old?.end()
        spares?.dropAll()
    }

    /// Sends a signal to the helper, for tests.
    func signal(_ number: Int32) { state.withLock { $0.helper }?.signal(number) }

    private func check(_ abilities: HelperAbilities, for kind: DecoderKind) throws(HelperFailure) {
        guard abilities.level.isSuperset(of: requiredLevel) else { throw .tooLow(abilities.text) }
        guard abilities.kinds.contains(kind) else { throw .unknownKind(kind, path: path) }
    }

    private func running(insteadOf dead: DecoderHelper? = nil) throws(HelperFailure) -> DecoderHelper {
        try state.withLock { state throws(HelperFailure) in
            // Another thread may have found the same.
            if let found = state.helper, found !== dead, found.isRunning { return found }
            state.helper.take()?.end()
            spares?.dropAll()
            let new = try start(&state)
            state.helper = new
            return new
        }
    }

    /// A program that starts and says nothing must not cost each picture the time that is waited for it.
    private func start(_ state: inout State) throws(HelperFailure) -> DecoderHelper {
        if let failure = state.failure, .now < failure.end { throw failure.reason }
        do throws(HelperFailure) {
            return try DecoderHelper(path: path, role: role, patience: patience, background: background)
        } catch {
            if case .notReady = error { state.failure = (error, .now + Self.pauseAfterFailure) }
            throw error
        }
    }

    private static let pauseAfterFailure = Duration.seconds(10)
}

extension HelperFailure {
    fileprivate var webImageError: WebImageError {
        switch self {
        case .notStarted(_, SystemFailure(code: ENOSYS)), .notStarted(_, SystemFailure(code: EPERM)):
            WebImageError(
                .badImageData, stage: .decode, kind: .policy,
                reason:
                    "this system has no descriptors of processes, which locked decoders take: pidfd_open, of Linux 5.3, "
                    + "or a list of system calls without it")
        case .notStarted(let path, let failure):
            WebImageError(
                .badImageData, stage: .decode, kind: .policy,
                reason: "the program that pictures are decoded by, \(path.abbreviated(to: 300)), does not start: "
                    + "\(failure.text); install webimage-decoder there, in a package by "
                    + #".product(name: "webimage-decoder", package: "WebImage") among the dependencies of the app's "#
                    + "target, or set DecoderIsolation.helperPath")
        case .notReady(let path):
            WebImageError(
                .badImageData, stage: .decode, kind: .policy,
                reason:
                    "the program that pictures are decoded by, \(path.abbreviated(to: 300)), is none that does so, or of "
                    + "another version: it has started and is not ready; install webimage-decoder of this version, or set "
                    + "DecoderIsolation.helperPath")
        case .keepsThreads(let path):
            WebImageError(
                .badImageData, stage: .decode, kind: .policy,
                reason:
                    "the program that pictures are decoded by, \(path.abbreviated(to: 300)), cannot start decoders: one of its "
                    + "libraries, or a plug-in of one, keeps a thread")
        case .tooLow(let text):
            WebImageError(
                .badImageData, stage: .decode, kind: .policy,
                reason:
                    "this system locks decoders in less than DecoderIsolation.requiredLevel asks for; they are \(text)")
        case .unknownKind(let kind, let path):
            WebImageError(
                .badImageData, stage: .decode, kind: .policy,
                reason: "\(path.abbreviated(to: 300)) was built without \(kind)")
        case .noWorker(let failure):
            WebImageError(
                .badImageData, stage: .decode, kind: .transient,
                reason: "no process can be started for the picture: \(failure.text)")
        case .ended:
            WebImageError(
                .badImageData, stage: .decode, kind: .transient,
                reason: "the program that pictures are decoded by has ended twice; try again")
        }
    }
}
