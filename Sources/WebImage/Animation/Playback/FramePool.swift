import Dispatch
import Synchronization

/// The decoded frames of one animation, for all of its players. Any thread.
///
/// It decodes one frame at a time, the nearest that any player needs, and drops what no player needs soon.
final class FramePool: Sendable {
    typealias PlayerID = ObjectIdentifier

    fileprivate struct State {
        var frames: [Int: Bitmap] = [:]
        var failures: Set<Int> = []
        var windows: [PlayerID: FrameWindow] = [:]
        var decoding: Int?
        var hasWarned = false
        var decodedCount = 0
        var decodingTime = Duration.zero
    }

    let provider: any AnimatedImageProvider
    private let frameByteCount: Int
    private let budget: MemoryBudget
    private let queue: JobQueue
    private let state = Mutex(State())

    /// - Parameter frameByteCount: The bytes of a frame.
    init(
        _ provider: any AnimatedImageProvider, frameByteCount: Int, budget: MemoryBudget = .shared,
        queue: JobQueue = .decoding
    ) {
        self.provider = provider
        self.frameByteCount = max(1, frameByteCount)
        self.budget = budget
        self.queue = queue
        budget.add(self)
    }

    deinit {
        budget.remove(ObjectIdentifier(self))
        state.withLock { [budget] in for frame in $0.frames.values { budget.giveBackFrame(frame.byteCount) } }
    }

    /// The bytes of all frames held.
    var heldByteCount: Int { state.withLock { $0.frames.values.reduce(0) { $0 + $1.byteCount } } }

    /// The frames held.
    var heldCount: Int { state.withLock { $0.frames.count } }

    /// The number of frames decoded, and the time for it.
    var work: (count: Int, time: Duration) { state.withLock { ($0.decodedCount, $0.decodingTime) } }

    /// The frame, if it is decoded.
    func frame(at index: Int) -> Bitmap? { state.withLock { $0.frames[index] } }

    func availability(of index: Int) -> PlaybackState.Availability {
        state.withLock { state in
            if state.frames[index] != nil { return .ready }
            return state.failures.contains(index) ? .failed : .missing
        }
    }

    /// Sets what a player needs; nil for nothing more, which leaves the frames of the pool as they are.
    func setWindow(_ window: FrameWindow?, of player: PlayerID) {
        let change = state.withLock { state in
            state.windows[player] = window
            return (dropped: window == nil ? [] : state.dropUnneeded(), arrived: state.takeArrived(for: player))
        }
        giveBack(change.dropped)
        change.arrived?()
        decodeNext()
    }

    /// Whether a frame is being decoded. False when there is no room for it.
    var isDecoding: Bool { state.withLock { $0.decoding != nil } }

    /// Drops all frames that no player shows.
    func clear() { giveBack(state.withLock { $0.drop { !$1.contains($0) } }) }

    // MARK: - Decoding

    /// One frame after the other: an animation is decoded in order.
    private func decodeNext() {
        guard let next = state.withLock({ $0.takeNext() }) else { return }
        guard budget.takeFrame(frameByteCount, isNeeded: next.isUrgent) else {
            return state.withLock { $0.decoding = nil }
        }
        queue.submit(priority: next.isUrgent ? .high : .normal) { self.decode(next.index) }
    }

    private func decode(_ index: Int) {
        let start = DispatchTime.now().uptimeNanoseconds
        let result: Result<Bitmap, WebImageError>
        do { result = .success(try provider.frame(at: index)) } catch { result = .failure(error) }
        let time = Duration.nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds - start))
        let isHeld = settle(result)
        let arrival = state.withLock { $0.receive(isHeld ? result : nil, index, time) }
        for arrived in arrival.calls { arrived() }
        giveBack(arrival.dropped)
        if let warning = arrival.warning { WebImageLog.warn(warning) }
        // Without room, players ask again in time.
        if isHeld { decodeNext() }
    }

    /// Takes the memory of a frame that is larger than usual, and gives back what a smaller one, or none, leaves.
    ///
    /// - Returns: False, with all memory given back, when there is not enough.
    private func settle(_ result: Result<Bitmap, WebImageError>) -> Bool {
        let excess = ((try? result.get().byteCount) ?? 0) - frameByteCount
        guard excess > 0 else {
            budget.giveBackFrame(-excess)
            return true
        }
        if budget.takeFrame(excess, isNeeded: true) { return true }
        budget.giveBackFrame(frameByteCount)
        return false
    }

    private func giveBack(_ frames: [Bitmap]) {
        for frame in frames { budget.giveBackFrame(frame.byteCount) }
    }
}

extension FramePool: MemoryHolder {
    var holdsFrames: Bool { true }

    /// Drops frames that are decoded ahead. Each player keeps the one that it shows and the next one.
    func giveBack(_ byteCount: Int) {
        giveBack(
            state.withLock { state in
                let kept = state.windows.values.compactMap { $0.indices.first { _ in true } }
                return state.drop { index, shown in !shown.contains(index) && !kept.contains(index) }
            })
    }
}

extension FramePool.State {
    /// The next frame to decode, and whether a player stands still for it. Nothing while a frame is being decoded.
    fileprivate mutating func takeNext() -> (index: Int, isUrgent: Bool)? {
        guard decoding == nil else { return nil }
        var nearest: (index: Int, distance: Int)?
        for window in windows.values {
            for (distance, index) in window.indices.enumerated() where distance < nearest?.distance ?? .max {
                guard frames[index] == nil, !failures.contains(index) else { continue }
                nearest = (index, distance)
                break
            }
        }
        guard let nearest else { return nil }
        decoding = nearest.index
        return (nearest.index, nearest.distance == 0)
    }

    /// - Parameter result: nil for a frame without room.
    fileprivate mutating func receive(
        _ result: Result<Bitmap, WebImageError>?, _ index: Int, _ time: Duration
    ) -> (calls: [@Sendable () -> Void], dropped: [Bitmap], warning: String?) {
        decoding = nil
        decodedCount += 1
        decodingTime += time
        var warning: String?
        switch result {
        case .success(let frame): frames[index] = frame
        case .failure(let error):
            failures.insert(index)
            if !hasWarned { warning = "an animation plays without frame \(index): \(error)" }
            hasWarned = true
        case nil: return ([], [], nil)
        }
        let calls = windows.keys.compactMap { takeArrived(for: $0) }
        return (calls, dropUnneeded(), warning)
    }

    /// The call for a player whose missing frame is there.
    fileprivate mutating func takeArrived(for player: FramePool.PlayerID) -> (@Sendable () -> Void)? {
        guard let missing = windows[player]?.missing, frames[missing.index] != nil || failures.contains(missing.index)
        else { return nil }
        windows[player]?.missing = nil
        return missing.arrived
    }

    /// Removes the frames that no window has. Where nothing plays, all stay.
    fileprivate mutating func dropUnneeded() -> [Bitmap] {
        guard !windows.isEmpty, !windows.values.contains(where: { $0.count > $0.sequence.lastPlace }) else { return [] }
        var kept: Set<Int> = []
        for window in windows.values { kept.formUnion(window.indices) }
        return drop { !kept.contains($0) && !$1.contains($0) }
    }

    /// Removes frames.
    fileprivate mutating func drop(where isUnneeded: (_ index: Int, _ shown: [Int]) -> Bool) -> [Bitmap] {
        let shown = windows.values.compactMap(\.shown)
        let dropped = frames.filter { isUnneeded($0.key, shown) }
        for index in dropped.keys { frames[index] = nil }
        return Array(dropped.values)
    }
}

extension FramePool {
    /// The pool of an animation for all players that apply the same transformer.
    ///
    /// - Parameter frameByteCount: The bytes of a frame, as far as they are known.
    static func shared(
        for provider: any AnimatedImageProvider, frameByteCount: Int?, transformer: (any ImageTransformer)?
    ) -> FramePool {
        FramePools.shared.pool(of: provider, transformerKey: transformer?.transformerKey) {
            let frames: any AnimatedImageProvider =
                transformer.map { TransformedAnimation(of: provider, by: $0, scale: 1, key: CacheKey("")) } ?? provider
            return FramePool(frames, frameByteCount: frameByteCount ?? 0)
        }
    }
}
