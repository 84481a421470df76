import WebImageCore

extension AnimatedImagePlayer {
    /// The number of frames, so far.
    public var totalFrameCount: Int { state.sequence.frameCount }

    /// The number of plays; 0 for endless. At first that of the animation; negative is 0.
    public var totalLoopCount: Int {
        get { state.loopLimit }
        set {
            state.loopLimit = max(0, newValue)
            update()
        }
    }

    /// The speed, from 0.001 to 1,000; 1 by default. At 0 and below, and for NaN, the current frame stays until it is set
    /// again.
    public var playbackRate: Double {
        get { state.rate }
        set {
            // Time that has passed counts at the former rate.
            update()
            state.rate = newValue > 0 ? min(max(newValue, Self.lowestRate), Self.highestRate) : 0
            update()
        }
    }

    /// The order of frames; ``AnimatedImagePlaybackMode/normal`` by default. A change keeps the current frame; before
    /// the first frame was shown it begins where the new order does.
    public var playbackMode: AnimatedImagePlaybackMode {
        get { state.sequence.mode }
        set {
            guard newValue != playbackMode else { return }
            state.setMode(newValue)
            update()
        }
    }

    /// The handling of late frames; ``LateFramePolicy/neverSkip`` by default.
    public var lateFramePolicy: LateFramePolicy {
        get { state.policy }
        set {
            state.policy = newValue
            update()
        }
    }

    private static let lowestRate = 0.001
    private static let highestRate = 1_000.0

    /// The number of frames that are decoded ahead, at least 1.
    var bufferedFrameCount: Int {
        switch maxBufferSize {
        case ...0: min(automaticFrameCount, max(1, totalFrameCount - 2))
        case .max: .max
        default: max(1, maxBufferSize / max(1, currentFrame?.byteCount ?? 1))
        }
    }

    /// Enough for a fifth of a second in which the processors do other work.
    private var automaticFrameCount: Int {
        let duration = pool.provider.playedDuration(at: state.index) / max(1, state.rate)
        return Int(min(12, max(2, (Duration.milliseconds(200) / duration).rounded(.up))))
    }
}
