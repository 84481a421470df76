import CGtk4
import CLinux
import Dispatch
import Synchronization
import WebImage

/// Holds an application while loads with ``WebImage/WebImageOptions/continueInBackground`` run. ``BackgroundGrant``
/// decides; this type acts.
@MainActor
final class ApplicationHold: BackgroundTaskProvider {
    /// One load that the application is held for.
    private nonisolated final class Load: CancellableTask {
        let id: BackgroundGrant.TaskID
        let expired: @Sendable () -> Void
        let ended: @Sendable (Load) -> Void
        private let hasEnded = Mutex(false)

        init(
            id: BackgroundGrant.TaskID, expired: @escaping @Sendable () -> Void,
            ended: @escaping @Sendable (Load) -> Void
        ) {
            self.id = id
            self.expired = expired
            self.ended = ended
        }

        var isEnded: Bool { hasEnded.withLock { $0 } }

        func cancel() {
            let isFirst = hasEnded.withLock { hasEnded in
                defer { hasEnded = true }
                return !hasEnded
            }
            if isFirst { ended(self) }
        }
    }

    private let application: UnsafeMutablePointer<GApplication>
    private let limit: Duration
    private let clock: any Clock<Duration>
    private var grant: BackgroundGrant
    private var loads: [BackgroundGrant.TaskID: Load] = [:]
    private var timer: Task<Void, Never>?
    private nonisolated let lastID = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - limit: How long all loads together may go on without a window.
    ///   - clock: Measures that time.
    init(
        _ application: UnsafeMutablePointer<GApplication>, limit: Duration,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        MainLoopBridge.install()
        self.application = application
        self.limit = limit
        self.clock = clock
        grant = BackgroundGrant(isInBackground: !application.hasWindows)
        g_object_ref(application)
        guard application.isOfGTK else { return }
        for signal in ["window-added", "window-removed"] {
            connect(application, signal) { [weak self] in self?.windowsHaveChanged() }
        }
    }

    isolated deinit { g_object_unref(application) }

    nonisolated func beginTask(expired: @escaping @Sendable () -> Void) -> any CancellableTask {
        let id = lastID.add(1, ordering: .relaxed).newValue
        // Each load keeps this object alive, so that the application is released in the end.
        let load = Load(id: id, expired: expired) { load in Self.onMainThread { self.end(load) } }
        Self.onMainThread { self.begin(load) }
        return load
    }

    /// Runs inline on the main thread: a window may be closed before the main queue runs.
    private nonisolated static func onMainThread(_ body: @escaping @Sendable @MainActor () -> Void) {
        if webimage_is_main_thread() != 0 {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async(execute: body)
        }
    }

    private func begin(_ load: Load) {
        // The load may have ended on the inline path.
        guard !load.isEnded else { return }
        loads[load.id] = load
        perform(grant.begin(load.id))
    }

    private func end(_ load: Load) {
        loads[load.id] = nil
        perform(grant.end(load.id))
    }

    private func windowsHaveChanged() { perform(grant.move(toBackground: !application.hasWindows)) }

    private func perform(_ actions: [BackgroundGrant.Action]) {
        for action in actions {
            switch action {
            case .hold: g_application_hold(application)
            case .release: g_application_release(application)
            case .startTimer: startTimer()
            case .stopTimer: timer?.cancel()
            case .expire(let ids):
                let expired = ids.compactMap { loads.removeValue(forKey: $0) }
                for load in expired { load.expired() }
            }
        }
    }

    private func startTimer() {
        timer = Task { [limit, clock, weak self] in
            do { try await clock.sleep(for: limit) } catch { return }
            guard let self, !Task.isCancelled else { return }
            perform(grant.expire())
        }
    }
}

extension UnsafeMutablePointer<GApplication> {
    fileprivate var isOfGTK: Bool { UnsafeMutableRawPointer(self).isInstance(of: gtk_application_get_type()) }

    /// An application that uses no `GtkApplication` windows counts as always in the background.
    fileprivate var hasWindows: Bool {
        guard isOfGTK else { return false }
        let application = UnsafeMutableRawPointer(self).assumingMemoryBound(to: GtkApplication.self)
        return gtk_application_get_windows(application) != nil
    }
}
