import WebImageCore

extension AnimatedImagePlayer {
    /// The frame that a player shows, and its place in the animation.
    public struct Update: Sendable {
        /// The current frame; nil before there is any.
        public let frame: Bitmap?
        /// Its index, from 0.
        public let frameIndex: Int
        /// The number of plays so far.
        public let loopCount: Int
        /// Whether the player plays.
        public let isPlaying: Bool
    }

    /// The frames and loops from now on, beginning with the current ones. A slow reader gets the latest only. Ends with
    /// the player.
    ///
    /// ```swift
    /// for await update in player.updates { gtk_label_set_text(label, "\(update.frameIndex + 1)") }
    /// ```
    public var updates: AsyncStream<Update> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            lastObserver += 1
            let id = lastObserver
            observers[id] = continuation
            continuation.yield(currentUpdate)
            continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.observers[id] = nil } }
        }
    }

    func notifyObservers() {
        guard !observers.isEmpty else { return }
        let update = currentUpdate
        for observer in observers.values { observer.yield(update) }
    }

    private var currentUpdate: Update {
        Update(frame: currentFrame, frameIndex: currentFrameIndex, loopCount: currentLoopCount, isPlaying: isPlaying)
    }
}
