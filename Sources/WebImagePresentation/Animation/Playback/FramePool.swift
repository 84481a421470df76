import Dispatch
import Synchronization
import WebImageCore
import WebImagePixels

/// The decoded frames of one animation, for all of its players. Any thread.
///
/// It decodes one frame at a time, the nearest that any player needs, and drops what no player needs soon.
final class FramePool: Sendable {
    typealias PlayerID = ObjectIdentifier

    fileprivate struct State {
        var frames: [Int: Bitmap] = [:]
        var failures: Set<Int> = []
        /// Those of the failures that the next try may mend.
        var passingFailures: Set<Int> = []
        var windows: [PlayerID: FrameWindow] = [:]
        var decoding: Decode?
        /// The bytes of a frame, as far as they are known.
        var frameByteCount: Int
        /// All frames are kept as long as each has at most so many bytes.
        var keptFrameByteCount: Int
        var hasWarned = false
        var startedCount = 0
        var decodedCount = 0
        var decodingTime = Duration.zero
    }

    /// A frame while it is decoded.
    fileprivate struct Decode {
        let index: Int
        /// Tells decodes of one frame apart.
        let number: Int
        /// Whether a player needs it next.
        var isUrgent: Bool
        /// The memory that was taken for it.
        let byteCount: Int
        /// Names it in the queue.
        var ticket: JobQueue.Ticket?
        /// Whether the buffer was cleared meanwhile.
        var isCleared = false
    }

    /// An animation whose frames take no more together is decoded once and kept, as long as memory is not short: to decode it
    /// again at each play takes half as long as to draw it. Sixteen of them leave half of the memory to pictures.
    private static func keptByteCount(in budget: MemoryBudget) -> Int { min(32 << 20, budget.byteLimit / 32) }

    /// Apart from the queue of loads, which must not wait for a provider that blocks.
    private static let frames = JobQueue(label: "WebImage.frames", limit: ProcessorCount.current)

    let provider: any AnimatedImageProvider
    private let budget: MemoryBudget
    private let queue: JobQueue
    private let pressure: MemoryPressure?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - frameByteCount: The bytes of a frame, as far as they are known.
    ///   - pressure: The source of memory warnings; nil for none.
    ///   - keptByteCount: An animation that takes no more is kept as a whole.
    init(
        _ provider: any AnimatedImageProvider, frameByteCount: Int, budget: MemoryBudget = .shared,
        queue: JobQueue = FramePool.frames, pressure: MemoryPressure? = nil, keptByteCount: Int = 0
    ) {
        self.provider = provider
        self.budget = budget
        self.queue = queue
        self.pressure = pressure
        state = Mutex(
            State(
                frameByteCount: max(1, frameByteCount),
                keptFrameByteCount: keptByteCount / max(1, provider.playedFrameCount)))
        budget.add(self)
        pressure?.add(self)
    }

    deinit {
        budget.remove(ObjectIdentifier(self))
        pressure?.remove(ObjectIdentifier(self))
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
            // A decode may have failed for want of memory, or because it was cancelled, so that it is worth another
            // attempt.
            if state.windows.isEmpty { (state.failures, state.passingFailures) = ([], []) }
            state.windows[player] = window
            return (dropped: window == nil ? [] : state.dropUnneeded(), arrived: state.takeArrived(for: player))
        }
        giveBack(change.dropped)
        change.arrived?()
        decodeNext()
    }

    /// Frames that have failed for a reason that may have passed are decoded again when they are due: at the next play.
    func retryFailures() {
        state.withLock { state in
            state.failures.subtract(state.passingFailures)
            state.passingFailures = []
        }
    }

    /// Drops all frames that no player needs.
    func clear() { giveBack(state.withLock { $0.clear() }) }

    // MARK: - Decoding

    /// One frame after the other: an animation is decoded in order.
    private func decodeNext() {
        guard let next = state.withLock({ $0.takeNext() }) else { return hurry() }
        // Without room, the player asks again in time.
        guard budget.takeFrame(next.byteCount, isNeeded: next.isUrgent) else {
            return state.withLock { $0.decoding = nil }
        }
        let ticket = queue.submit(priority: next.isUrgent ? .high : .normal) { self.decode(next) }
        state.withLock { if $0.decoding?.number == next.number { $0.decoding?.ticket = ticket } }
        // A player may have waited for it since.
        hurry()
    }

    /// A frame that a player stands still for comes before those that are decoded ahead, of this animation and of others.
    private func hurry() {
        switch state.withLock({ $0.takeHurry() }) {
        case .move(let ticket): queue.move(ticket, to: .high)
        case .replace(let ticket):
            guard queue.remove(ticket) else { return }
            let byteCount = state.withLock { state in
                defer { state.decoding = nil }
                return state.decoding?.byteCount ?? 0
            }
            budget.giveBackFrame(byteCount)
            decodeNext()
        case nil: return
        }
    }

    private func decode(_ frame: Decode) {
        let index = frame.index
        let start = DispatchTime.now().uptimeNanoseconds
        let result: Result<Bitmap, WebImageError>
        do { result = .success(try provider.frame(at: index)) } catch { result = .failure(error) }
        let time = Duration.nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds - start))
        let isHeld = settle(result, taken: frame.byteCount)
        let arrival = state.withLock { $0.receive(isHeld ? result : nil, index, time) }
        for arrived in arrival.calls { arrived() }
        giveBack(arrival.dropped)
        if let warning = arrival.warning { WebImageLog.warn(warning) }
        // A player that has waited says first what it needs now.
        if isHeld, arrival.calls.isEmpty { decodeNext() }
    }

    /// Takes the memory of a frame that is larger than usual, and gives back what a smaller one, or none, leaves.
    ///
    /// - Returns: False, with all memory given back, when there is not enough.
    private func settle(_ result: Result<Bitmap, WebImageError>, taken: Int) -> Bool {
        let byteCount = (try? result.get().byteCount) ?? 0
        if byteCount > 0 { state.withLock { $0.frameByteCount = byteCount } }
        let excess = byteCount - taken
        guard excess > 0 else {
            budget.giveBackFrame(-excess)
            return true
        }
        if budget.takeFrame(excess, isNeeded: true) { return true }
        budget.giveBackFrame(taken)
        return false
    }

    private func giveBack(_ frames: [Bitmap]) {
        for frame in frames { budget.giveBackFrame(frame.byteCount) }
    }
}

extension FramePool: MemoryHolder {
    var holdsFrames: Bool { true }
    var isIdle: Bool { state.withLock { $0.windows.isEmpty } }

    /// Drops frames that are decoded ahead. Each player keeps the one that it shows and the next one.
    func giveBack(_ byteCount: Int) {
        giveBack(
            state.withLock { state in
                let kept = state.windows.values.compactMap { $0.indices.first { _ in true } }
                // Otherwise the next play would take all of it again.
                state.keptFrameByteCount = 0
                return state.drop { index, shown in !shown.contains(index) && !kept.contains(index) }
            })
    }
}

extension FramePool: MemoryPressureReceiver {
    func relieve(_ level: MemoryPressure.Level) {
        switch level {
        case .warning: giveBack(.max)
        case .critical:
            giveBack(
                state.withLock { state in
                    state.keptFrameByteCount = 0
                    return state.drop { !$1.contains($0) }
                })
        }
    }
}

extension FramePool.State {
    /// The next frame to decode. Nothing while a frame is being decoded.
    fileprivate mutating func takeNext() -> FramePool.Decode? {
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
        startedCount += 1
        decoding = FramePool.Decode(
            index: nearest.index, number: startedCount, isUrgent: nearest.distance == 0, byteCount: frameByteCount)
        return decoding
    }

    /// The change of a waiting decode.
    fileprivate enum Hurry {
        /// It is urgent now.
        case move(JobQueue.Ticket)
        /// Another frame is.
        case replace(JobQueue.Ticket)
    }

    /// nil where nothing is more urgent than before.
    fileprivate mutating func takeHurry() -> Hurry? {
        guard let decoding, !decoding.isUrgent, let ticket = decoding.ticket else { return nil }
        let urgent = windows.values.compactMap { $0.indices.first { _ in true } }
            .filter { frames[$0] == nil && !failures.contains($0) }
        guard urgent.contains(decoding.index) else { return urgent.isEmpty ? nil : .replace(ticket) }
        self.decoding?.isUrgent = true
        return .move(ticket)
    }

    /// - Parameter result: nil for a frame without room.
    fileprivate mutating func receive(
        _ result: Result<Bitmap, WebImageError>?, _ index: Int, _ time: Duration
    ) -> (calls: [@Sendable () -> Void], dropped: [Bitmap], warning: String?) {
        let isCleared = decoding?.isCleared == true
        decoding = nil
        decodedCount += 1
        decodingTime += time
        var warning: String?
        switch result {
        case .success(let frame) where isCleared && windows.isEmpty: return ([], [frame], nil)
        case .success(let frame): frames[index] = frame
        case .failure(let error):
            failures.insert(index)
            if error.kind != .permanent { passingFailures.insert(index) }
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

    /// Removes the frames that no window has, and the one that comes, where there are no windows.
    fileprivate mutating func clear() -> [Bitmap] {
        decoding?.isCleared = true
        let needed = Set(windows.values.flatMap { Array($0.indices) })
        return drop { !needed.contains($0) && !$1.contains($0) }
    }

    /// Removes the frames that no window has. Where nothing plays, all stay, and so they do of a small animation, unless a
    /// player limits them.
    fileprivate mutating func dropUnneeded() -> [Bitmap] {
        let isKept = frameByteCount <= keptFrameByteCount && windows.values.allSatisfy(\.keepsShown)
        guard !isKept, !windows.isEmpty,
            !windows.values.contains(where: { $0.count > $0.sequence.lastPlace })
        else { return [] }
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
            return FramePool(
                frames, frameByteCount: frameByteCount ?? 0, pressure: .shared,
                keptByteCount: keptByteCount(in: .shared))
        }
    }
}
