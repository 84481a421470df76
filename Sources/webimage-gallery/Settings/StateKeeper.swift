import CGtk4
import FoundationEssentials

/// Writes what the next start begins with: soon after a change, so that a program that is killed has lost nothing.
final class StateKeeper {
    private let file: String
    /// Changes that follow one another, as those of a window's size, are written once.
    private let delay: Duration
    private let current: () -> GalleryState
    /// As it was at the last writing of this window.
    private var written: GalleryState
    private var timer: guint = 0

    /// - Parameters:
    ///   - written: What this window began with.
    ///   - current: What it has now.
    init(
        file: String, written: GalleryState, delay: Duration = .milliseconds(500), current: @escaping () -> GalleryState
    ) {
        self.file = file
        self.written = written
        self.delay = delay
        self.current = current
    }

    isolated deinit { stop() }

    /// Something that is remembered has changed.
    func noteChange() {
        stop()
        timer = g_timeout_add_once(
            guint(delay / .milliseconds(1)),
            { data in
                guard let data else { return }
                let keeper = Unmanaged<StateKeeper>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated {
                    keeper.timer = 0
                    keeper.write()
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func stop() {
        if timer != 0 { g_source_remove(timer) }
        timer = 0
    }

    /// Writes what has changed at once.
    func write() {
        let state = current()
        guard state != written else { return }
        do throws(SourceProblem) {
            try state.write(to: file, since: written)
            written = state
        } catch {
            complain(error.message)
        }
    }
}
