import WebImageCore

/// Views that show one player in step. It plays while any of them does.
extension AnimatedImagePlayer {
    struct Viewer {
        var isPlaying = false
        let show: (Bitmap) -> Void
    }

    /// Adds a view, which does not play yet.
    ///
    /// - Parameter show: Gets each frame while the view plays.
    package func addViewer(_ id: ObjectIdentifier, show: @escaping (Bitmap) -> Void) {
        viewers[id] = Viewer(show: show)
    }

    package func removeViewer(_ id: ObjectIdentifier) {
        viewers[id] = nil
        pauseIfUnseen()
    }

    /// Starts or stops the frames for a view. A view that starts gets the current frame at once; beside others it leaves a
    /// player alone that was paused, or has ended.
    package func setPlaying(_ isPlaying: Bool, for id: ObjectIdentifier) {
        guard let viewer = viewers[id], viewer.isPlaying != isPlaying else { return }
        viewers[id]?.isPlaying = isPlaying
        guard isPlaying else { return pauseIfUnseen() }
        if let currentFrame { viewer.show(currentFrame) }
        if isAlone(id) { startPlaying() }
    }

    /// Whether a view is the only one that plays.
    package func isAlone(_ id: ObjectIdentifier) -> Bool { !viewers.contains { $0.key != id && $0.value.isPlaying } }

    func showToViewers(_ frame: Bitmap) {
        for viewer in viewers.values where viewer.isPlaying || !isPlaying { viewer.show(frame) }
    }

    private func pauseIfUnseen() {
        if !viewers.values.contains(where: \.isPlaying) { pausePlaying() }
    }
}
