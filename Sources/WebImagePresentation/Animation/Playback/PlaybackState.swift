/// The rules of playing an animation, as a value: time goes in, steps come out.
struct PlaybackState {
    /// The next step of the player.
    enum Step: Equatable {
        case show(Int)
        /// The frame at this index cannot be decoded: its time passes, and the frame before it stays.
        case pass(Int)
        /// A play has ended; its number, from 1.
        case loopEnded(Int)
        /// The last play has ended. Place and loop are those of the beginning again.
        case finished
    }

    /// Whether a frame can be shown.
    enum Availability {
        case ready, failed, missing
    }

    /// The durations and the decoded frames.
    struct Frames {
        let duration: (Int) -> Duration
        let availability: (Int) -> Availability
    }

    private(set) var sequence: FrameSequence
    /// The number of plays; 0 for endless.
    var loopLimit: Int
    /// Durations are divided by it. Time stands still at 0 and below.
    var rate = 1.0
    var policy = LateFramePolicy.neverSkip
    /// Whether all frames have arrived. Otherwise the last one stays until more come, and does not end a play.
    private(set) var isComplete: Bool

    private(set) var place = 0
    /// The number of plays that have ended.
    private(set) var loopCount = 0
    /// False until the frame at the current place was shown.
    private(set) var hasShown = false
    /// The time since the current frame was due.
    private(set) var elapsed = Duration.zero
    /// Frames whose time passed before they were decoded.
    private(set) var skippedCount = 0

    init(frameCount: Int, loopLimit: Int, isComplete: Bool) {
        sequence = FrameSequence(mode: .normal, frameCount: frameCount)
        self.loopLimit = loopLimit
        self.isComplete = isComplete
    }

    var index: Int { sequence.index(at: place) }

    // MARK: - Changes

    mutating func setMode(_ mode: AnimatedImagePlaybackMode) {
        let isAtStart = !hasShown && place == 0
        let index = index
        sequence = FrameSequence(mode: mode, frameCount: sequence.frameCount)
        place = isAtStart ? 0 : sequence.place(of: index)
    }

    /// More frames have arrived. The current one stays.
    mutating func grow(to frameCount: Int, isComplete: Bool) {
        let index = min(index, frameCount - 1)
        sequence = FrameSequence(mode: sequence.mode, frameCount: frameCount)
        self.isComplete = isComplete
        place = sequence.place(of: index)
    }

    /// Goes to a frame, which is shown at once.
    mutating func seek(to index: Int, loopCount: Int) {
        place = sequence.place(of: index)
        self.loopCount = loopCount
        showAgain()
    }

    /// Goes to the beginning.
    mutating func reset() {
        place = 0
        loopCount = 0
        showAgain()
    }

    /// The current frame is shown with the next step.
    mutating func showAgain() {
        hasShown = false
        elapsed = .zero
    }

    // MARK: - Time

    /// Shows the current frame if it was not shown yet.
    mutating func showCurrent(_ frames: Frames) -> [Step] {
        guard !hasShown, let step = step(for: index, frames) else { return [] }
        hasShown = true
        elapsed = .zero
        return [step]
    }

    /// Lets `time` pass.
    mutating func advance(by time: Duration, _ frames: Frames) -> [Step] {
        guard hasShown else { return showCurrent(frames) }
        guard rate > 0 else { return [] }
        elapsed += time * rate
        return switch policy {
        case .neverSkip: advanceOnce(frames)
        case .keepClock: catchUp(frames)
        }
    }

    /// The time until the next frame is due; nil when no time leads there.
    func timeToNext(_ frames: Frames) -> Duration? {
        guard hasShown else { return .zero }
        guard rate > 0, !waitsForMore(at: place) else { return nil }
        return max(Self.shortestWait, (frames.duration(index) - elapsed) / rate)
    }

    /// Less is lost in the division by the rate, and would never pass.
    private static let shortestWait = Duration.microseconds(1)

    /// Whether the time of the current frame is over.
    func isOver(_ frames: Frames) -> Bool { timeToNext(frames) == Self.shortestWait }

    /// The frame that is due and missing; nil when none is.
    func missingIndex(_ frames: Frames) -> Int? {
        guard hasShown else { return frames.availability(index) == .missing ? index : nil }
        guard frames.duration(index) <= elapsed, !isLast(place), !waitsForMore(at: place) else { return nil }
        let next = sequence.index(at: wantedPlace(frames))
        return frames.availability(next) == .missing ? next : nil
    }

    /// The place from which frames are decoded ahead: the one that is due, or the next one.
    func wantedPlace(_ frames: Frames) -> Int {
        guard hasShown else { return place }
        let due = policy == .keepClock ? duePlaces(frames).last?.place : nil
        return due ?? (isLast(place) || waitsForMore(at: place) ? place : sequence.place(after: place))
    }

    private mutating func advanceOnce(_ frames: Frames) -> [Step] {
        let duration = frames.duration(index)
        guard elapsed >= duration else { return [] }
        guard !waitsForMore(at: place) else {
            elapsed = duration
            return []
        }
        guard !isLast(place) else { return finish() }
        let next = sequence.index(at: sequence.place(after: place))
        guard let step = step(for: next, frames) else { return [] }
        // A long pause of the thread is not made up for by a row of short frames.
        elapsed = min(elapsed - duration, frames.duration(next))
        return move() + [step]
    }

    /// Goes to the latest due frame that can be shown or has failed, and skips those before it.
    private mutating func catchUp(_ frames: Frames) -> [Step] {
        let due = duePlaces(frames)
        guard let reached = due.lastIndex(where: { frames.availability(sequence.index(at: $0.place)) != .missing })
        else { return finishIfOver(due, frames) }
        var steps: [Step] = []
        for _ in 0...reached { steps += move() }
        skippedCount += reached
        elapsed -= due[reached].start
        if let step = step(for: index, frames) { steps.append(step) }
        return steps + finishIfOver(Array(due[(reached + 1)...]), frames)
    }

    /// The places whose frames are due after the current one, and the time from the beginning of the current frame to
    /// theirs.
    private func duePlaces(_ frames: Frames) -> [(place: Int, start: Duration)] {
        var due: [(place: Int, start: Duration)] = []
        var state = self
        var start = frames.duration(index)
        while start <= elapsed, due.count < Self.mostDuePlaces, !state.isLast(state.place),
            !state.waitsForMore(at: state.place)
        {
            _ = state.move()
            due.append((state.place, start))
            start += frames.duration(state.index)
        }
        return due
    }

    /// The rest follows with the next tick.
    private static let mostDuePlaces = 1000

    /// Ends the last play once its last frame had its time. Time does not run on at a last frame that waits for more.
    private mutating func finishIfOver(_ due: [(place: Int, start: Duration)], _ frames: Frames) -> [Step] {
        guard due.isEmpty else { return [] }
        let duration = frames.duration(index)
        guard elapsed >= duration else { return [] }
        if isLast(place) { return finish() }
        if waitsForMore(at: place) { elapsed = duration }
        return []
    }

    private mutating func move() -> [Step] {
        let endsLoop = place == sequence.lastPlace
        place = sequence.place(after: place)
        guard endsLoop else { return [] }
        loopCount += 1
        return [.loopEnded(loopCount)]
    }

    private mutating func finish() -> [Step] {
        let ended = loopCount + 1
        reset()
        return [.loopEnded(ended), .finished]
    }

    private func step(for index: Int, _ frames: Frames) -> Step? {
        switch frames.availability(index) {
        case .ready: .show(index)
        case .failed: .pass(index)
        case .missing: nil
        }
    }

    /// Whether `place` is the last one of the last play.
    private func isLast(_ place: Int) -> Bool {
        loopLimit > 0 && isComplete && place == sequence.lastPlace && loopCount + 1 >= loopLimit
    }

    /// Whether the frame after `place` has not arrived. Until all have, backwards has no beginning.
    private func waitsForMore(at place: Int) -> Bool {
        !isComplete && (sequence.index(at: place) == sequence.frameCount - 1 || sequence.place(of: 0) != 0)
    }
}
