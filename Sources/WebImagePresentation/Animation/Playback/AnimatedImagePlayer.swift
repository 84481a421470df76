import WebImageCore

/// Plays an animation: says which frame is current, on any clock and without a toolkit.
///
/// ```swift
/// guard let animation = image.animation, let player = AnimatedImagePlayer(animation) else { return }
/// player.frameHandler = { index, frame in draw(frame) }
/// player.loopHandler = { count in showPlays(count) }
/// player.startPlaying()
/// ```
/// Frames are decoded ahead on a queue of their own, never on the main thread, into a buffer that all players of the
/// animation share and that ``MemoryBudget/shared`` bounds. Use on the main actor only. A player that is released
/// stops; its handlers must not retain it.
@MainActor
public final class AnimatedImagePlayer {
    /// Called with each frame that becomes current, but not by a stop. A frame that cannot be decoded is left out.
    public var frameHandler: ((_ index: Int, _ frame: Bitmap) -> Void)?
    /// Called after each play, with the number of plays so far.
    public var loopHandler: ((_ count: Int) -> Void)?

    /// The current frame; at first the poster. After the last play the last frame.
    public internal(set) var currentFrame: Bitmap? {
        didSet { if currentFrame !== oldValue { madeOfFrame = nil } }
    }
    /// The index of ``currentFrame``, from 0. After a stop and after the last play 0.
    public internal(set) var currentFrameIndex = 0
    /// The number of plays so far. After a stop and after the last play 0.
    public internal(set) var currentLoopCount = 0
    /// Whether it plays. False after the last play.
    public internal(set) var isPlaying = false

    /// The bytes of decoded frames for this player; 0, the default, for some frames ahead; 1 for the next frame only;
    /// `.max` for all frames. ``MemoryBudget`` may allow fewer. The next frame is decoded ahead in any case. With 0, an
    /// animation whose frames take 32 MiB together at most, and a thirty-second of the budget, is decoded once and kept, until
    /// memory is short.
    public var maxBufferSize = 0 {
        didSet { update() }
    }

    /// The object that a toolkit has made of ``currentFrame``, for all views that show it.
    package var madeOfFrame: AnyObject?
    var viewers: [ObjectIdentifier: Viewer] = [:]

    let clock: any AnimationClock
    let transformer: (any ImageTransformer)?
    var pool: FramePool
    var state: PlaybackState
    /// Frame 0, where the owner has it.
    private let poster: Bitmap?
    var observers: [UInt64: AsyncStream<Update>.Continuation] = [:]
    var lastObserver: UInt64 = 0
    var shown = (count: 0, lateCount: 0, longestDelay: Duration.zero)
    /// Whether the current frame is to be shown though the player does not play.
    var isSeeking = false
    /// Whether the last play has ended by itself.
    package private(set) var hasEnded = false
    /// Counts changes of the place by the app: one in a handler ends the steps under way.
    private var jumpCount = 0
    /// The time until which the state has advanced; nil while time does not count.
    private var lastTick: Duration?
    private var timer: (any CancellableTask)?

    /// A player at the beginning, not playing.
    ///
    /// - Parameters:
    ///   - provider: Retained. Its frames are decoded on other threads.
    ///   - poster: Frame 0, where it is there already.
    ///   - isComplete: Whether all frames have arrived; see ``continuePlaying(with:isComplete:)``.
    ///   - transformer: Applied to each frame, on other threads; nil for none.
    ///   - clock: The time; nil for ``MainQueueClock``.
    /// - Returns: nil for an animation with less than two frames.
    public convenience init?(
        _ provider: any AnimatedImageProvider, poster: Bitmap? = nil, isComplete: Bool = true,
        transformer: (any ImageTransformer)? = nil, clock: (any AnimationClock)? = nil
    ) {
        self.init(
            provider, poster: poster, isComplete: isComplete, transformer: transformer,
            clock: clock ?? MainQueueClock.shared,
            pool: .shared(for: provider, frameByteCount: poster?.byteCount, transformer: transformer))
    }

    init?(
        _ provider: any AnimatedImageProvider, poster: Bitmap? = nil, isComplete: Bool = true,
        transformer: (any ImageTransformer)? = nil, clock: any AnimationClock, pool: FramePool
    ) {
        guard provider.frameCount > 1 else { return nil }
        self.clock = clock
        self.transformer = transformer
        self.pool = pool
        self.poster = transformer == nil ? poster : nil
        currentFrame = poster
        state = PlaybackState(
            frameCount: provider.playedFrameCount, loopLimit: max(0, provider.loopCount), isComplete: isComplete)
    }

    isolated deinit {
        timer?.cancel()
        pool.setWindow(nil, of: ObjectIdentifier(self))
        for observer in observers.values { observer.finish() }
    }

    // MARK: - Playing

    /// Plays on from the current frame; after the last play, from the beginning.
    public func startPlaying() {
        guard !isPlaying else { return }
        isPlaying = true
        hasEnded = false
        update()
        notifyObservers()
    }

    /// Keeps the current frame. Time stands still.
    public func pausePlaying() {
        guard isPlaying else { return }
        isPlaying = false
        update()
        notifyObservers()
    }

    /// Pauses and goes to the beginning. No handler is called, and a view keeps its frame.
    public func stopPlaying() {
        jump { $0.reset() }
        isSeeking = false
        isPlaying = false
        hasEnded = false
        (currentFrameIndex, currentLoopCount) = (0, 0)
        update()
        notifyObservers()
    }

    /// Goes to frame `index`, which is shown once it is decoded, whether the player plays or not. A later call replaces
    /// one under way.
    ///
    /// - Parameters:
    ///   - index: Without effect where there is no such frame.
    ///   - loopCount: The number of plays so far.
    public func seekToFrame(at index: Int, loopCount: Int = 0) {
        guard (0..<totalFrameCount).contains(index) else { return }
        let loopCount = min(max(0, loopCount), Self.mostLoops)
        jump { $0.seek(to: index, loopCount: loopCount) }
        isSeeking = true
        hasEnded = false
        currentLoopCount = loopCount
        update()
        notifyObservers()
    }

    /// Drops the decoded frames, except those that other players need.
    public func clearFrameBuffer() {
        pool.setWindow(nil, of: ObjectIdentifier(self))
        pool.clear()
        if isPlaying || isSeeking { update() }
    }

    /// Goes on with more frames of the same animation. The current frame stays.
    ///
    /// - Parameters:
    ///   - provider: Has the frames so far, and perhaps more. Without effect where it has fewer.
    ///   - isComplete: Whether these are all. Until then the last one stays until there are more, and does not end a
    ///     play.
    /// - Returns: Whether it had an effect.
    @discardableResult
    public func continuePlaying(with provider: any AnimatedImageProvider, isComplete: Bool) -> Bool {
        guard provider.playedFrameCount >= totalFrameCount else { return false }
        // The time of waiting does not count for the frames that have come.
        update()
        pool.setWindow(nil, of: ObjectIdentifier(self))
        pool = .shared(for: provider, frameByteCount: currentFrame?.byteCount, transformer: transformer)
        jump { $0.grow(to: provider.playedFrameCount, isComplete: isComplete) }
        update()
        return true
    }

    private func jump(_ change: (inout PlaybackState) -> Void) {
        jumpCount += 1
        change(&state)
    }

    // MARK: - Time

    /// Shows what is due, and arranges for what comes next.
    func update() {
        let steps = stepsUntilNow()
        perform(steps)
        var missing = state.missingIndex(frames)
        if steps.isEmpty, isPlaying, missing == nil, state.isOver(frames) {
            // It was decoded after the first look.
            perform(stepsUntilNow())
            missing = state.missingIndex(frames)
        }
        timer?.cancel()
        timer = nil
        guard isPlaying || isSeeking else { return pool.setWindow(nil, of: ObjectIdentifier(self)) }
        pool.setWindow(window(missing: missing), of: ObjectIdentifier(self))
        guard let wait = missing == nil ? state.timeToNext(frames) : Self.retryInterval else { return }
        timer = clock.call(at: (lastTick ?? clock.now) + wait) { [weak self] in self?.update() }
    }

    /// The budget may have no room for the missing frame now, of which no call says that it has some again.
    private static let retryInterval = Duration.milliseconds(100)
    /// More than any animation has.
    private static let mostLoops = 1_000_000_000
    /// A longer gap between two ticks is no delay: the process or the system was stopped.
    private static let longestGap = Duration.seconds(1)

    private func stepsUntilNow() -> [PlaybackState.Step] {
        guard isPlaying else {
            lastTick = nil
            return isSeeking ? state.showCurrent(frames) : []
        }
        let now = clock.now
        let passed = min(max(.zero, now - (lastTick ?? now)), Self.longestGap)
        lastTick = now
        return state.advance(by: passed, frames)
    }

    private func perform(_ steps: [PlaybackState.Step]) {
        let jumps = jumpCount
        for step in steps where jumps == jumpCount {
            switch step {
            case .show(let index): show(index)
            case .pass: isSeeking = false
            case .loopEnded(let count):
                currentLoopCount = count
                pool.retryFailures()
                loopHandler?(count)
            case .finished:
                isPlaying = false
                hasEnded = true
                (currentFrameIndex, currentLoopCount) = (0, 0)
            }
            notifyObservers()
        }
    }

    private func show(_ index: Int) {
        guard let frame = index == 0 ? poster ?? pool.frame(at: 0) : pool.frame(at: index) else { return }
        isSeeking = false
        currentFrame = frame
        currentFrameIndex = index
        noteShown()
        showToViewers(frame)
        frameHandler?(index, frame)
    }

    private var frames: PlaybackState.Frames {
        PlaybackState.Frames(
            duration: { [provider = pool.provider] in provider.playedDuration(at: $0) },
            availability: { [pool, poster] in $0 == 0 && poster != nil ? .ready : pool.availability(of: $0) })
    }

    private func window(missing: Int?) -> FrameWindow {
        FrameWindow(
            sequence: state.sequence, place: state.wantedPlace(frames), count: bufferedFrameCount,
            keepsShown: maxBufferSize == 0, shown: currentFrameIndex,
            missing: missing.map { index in
                FrameWindow.Missing(index: index) { [weak self] in Task { @MainActor in self?.update() } }
            })
    }
}

extension AnimatedImageProvider {
    /// The duration of a frame, a day at most; a tenth of a second where it has none.
    func playedDuration(at index: Int) -> Duration {
        let duration = duration(at: index)
        return duration > .zero ? min(duration, .seconds(86_400)) : .milliseconds(100)
    }

    /// The number of frames, within the range of the arithmetic on places.
    var playedFrameCount: Int { min(frameCount, 1 << 30) }
}
