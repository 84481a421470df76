/// Writes what the next start begins with: soon after a change, so that a program that is killed has lost nothing.
final class StateKeeper {
    private let file: String
    private let current: () -> GalleryState
    /// As it was at the last writing of this window.
    private var written: GalleryState
    /// Changes that follow one another, as those of a window's size, are written once.
    private var writing: DelayedCall?

    /// - Parameters:
    ///   - written: What this window began with.
    ///   - current: What it has now.
    init(
        file: String, written: GalleryState, delay: Duration = .milliseconds(500), current: @escaping () -> GalleryState
    ) {
        self.file = file
        self.written = written
        self.current = current
        writing = DelayedCall(after: delay) { [weak self] in self?.write() }
    }

    /// Something that is remembered has changed.
    func noteChange() { writing?.start() }

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
