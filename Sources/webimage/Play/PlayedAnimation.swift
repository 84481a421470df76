import WebImage
import WebImageCommandLine

/// One animation while it is played in the terminal.
@MainActor
final class PlayedAnimation {
    private let player: AnimatedImagePlayer
    private let name: String
    private let fitting: PictureFitting
    private let stage: PlayStage?
    private var continuation: CheckedContinuation<Void, Never>?
    /// Whether a key has paused it.
    private var isPaused = false
    private let start = ContinuousClock.now
    private var mostBuffered = 0
    private(set) var loopCount = 0
    private(set) var failure: WebImageError?

    init(_ player: AnimatedImagePlayer, named name: String, fitting: PictureFitting, stage: PlayStage?) {
        self.player = player
        self.name = name
        self.fitting = fitting
        self.stage = stage
    }

    var seconds: Double { start.duration(to: .now).seconds }

    /// With the most bytes that were ever buffered.
    var statistics: PlaybackStatistics {
        var statistics = player.statistics
        statistics.bufferedByteCount = max(mostBuffered, statistics.bufferedByteCount)
        return statistics
    }

    /// Returns after the last play, when a key ends it, and when the task is cancelled.
    func play() async {
        player.frameHandler = { [weak self] _, frame in self?.show(frame) }
        player.loopHandler = { [weak self] count in self?.noteLoop(count) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.continuation = continuation
                player.startPlaying()
                if Task.isCancelled { end() }
            }
        } onCancel: {
            Task { @MainActor in self.end() }
        }
        player.stopPlaying()
    }

    func end() {
        continuation?.resume()
        continuation = nil
    }

    func take(_ key: Key) {
        switch key {
        case .character(" "): isPaused ? resume() : pause()
        case .right, .character("."): step(by: 1)
        case .left, .character(","): step(by: -1)
        case .character("+"), .up: player.playbackRate *= Self.rateStep
        case .character("-"), .down: player.playbackRate /= Self.rateStep
        case .character("="): player.playbackRate = 1
        default: return
        }
        if let frame = player.currentFrame { draw(frame) }
    }

    private static let rateStep = 1.25

    private func pause() {
        isPaused = true
        player.pausePlaying()
    }

    private func resume() {
        isPaused = false
        player.startPlaying()
    }

    private func step(by distance: Int) {
        pause()
        let count = player.totalFrameCount
        player.seekToFrame(
            at: (player.currentFrameIndex + distance + count) % count, loopCount: player.currentLoopCount)
    }

    private func show(_ frame: Bitmap) {
        mostBuffered = max(mostBuffered, player.statistics.bufferedByteCount)
        draw(frame)
    }

    /// The handler is called before the player ends.
    private func noteLoop(_ count: Int) {
        loopCount = count
        if player.totalLoopCount > 0, count >= player.totalLoopCount { end() }
    }

    private func draw(_ frame: Bitmap) {
        guard let stage else { return }
        do throws(WebImageError) {
            try stage.draw(try fitting.fitted(Image(bitmap: frame)), status: status)
        } catch {
            failure = error
            end()
        }
    }

    /// `cat.gif  3/24  loop 2  ×1.25  paused`
    private var status: String {
        let loops = player.totalLoopCount == 0 ? "" : "/\(player.totalLoopCount)"
        let rate = player.playbackRate == 1 ? "" : "  ×\((player.playbackRate * 100).rounded() / 100)"
        return "\(name)  \(player.currentFrameIndex + 1)/\(player.totalFrameCount)  "
            + "loop \(player.currentLoopCount + 1)\(loops)\(rate)\(isPaused ? "  paused" : "")"
    }
}
