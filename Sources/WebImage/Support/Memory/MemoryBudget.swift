import Synchronization

/// The memory that the pictures of all memory caches and the frames of all animations take together.
///
/// Pictures and frames may each take what the other leaves. When it is used up, new frames evict pictures until frames
/// have half of it, and new pictures evict older ones. Frames beyond that are not decoded ahead; frames without which
/// an animation stands still come first.
///
/// ```swift
/// MemoryBudget.shared.byteLimit = 200 << 20
/// ```
public final class MemoryBudget: Sendable {
    /// The one of this process: a quarter of the memory that is free at its first use.
    public static let shared = MemoryBudget(byteLimit: defaultByteLimit)

    private struct State {
        var limit: Int
        var frameByteCount = 0
        var holders: [ObjectIdentifier: Holder] = [:]
    }

    private struct Holder {
        weak var object: (any MemoryHolder)?
    }

    private let state: Mutex<State>
    /// Apart from the state, because caches read it at each store.
    private let pictures = Atomic(0)
    private let limit: Atomic<Int>

    /// - Parameter byteLimit: Negative is 0.
    package init(byteLimit: Int) {
        state = Mutex(State(limit: max(0, byteLimit)))
        limit = Atomic(max(0, byteLimit))
    }

    /// The most bytes. Any thread. A lower limit applies at once.
    public var byteLimit: Int {
        get { limit.load(ordering: .relaxed) }
        set {
            limit.store(max(0, newValue), ordering: .relaxed)
            state.withLock { $0.limit = max(0, newValue) }
            makeRoom(for: 0)
        }
    }

    /// The bytes that pictures and frames take now.
    public var usedByteCount: Int { pictureByteCount + frameByteCount }

    /// The bytes that frames take now.
    public var frameByteCount: Int { state.withLock { $0.frameByteCount } }

    /// The bytes that pictures take now.
    public var pictureByteCount: Int { pictures.load(ordering: .relaxed) }

    /// The bytes left for pictures.
    var pictureRoom: Int { byteLimit - usedByteCount }

    /// The pictures of a cache have changed by this many bytes.
    func addPictures(_ byteCount: Int) { pictures.add(byteCount, ordering: .relaxed) }

    /// Adds an object that gives back memory when there is too little. Held weakly.
    func add(_ holder: any MemoryHolder) {
        state.withLock { $0.holders[ObjectIdentifier(holder)] = Holder(object: holder) }
    }

    /// Removes a holder, which may be in its deinitializer.
    func remove(_ id: ObjectIdentifier) { _ = state.withLock { $0.holders.removeValue(forKey: id) } }

    /// Takes memory for a frame.
    ///
    /// - Parameter isNeeded: Whether an animation stands still without it: then frames that are decoded ahead are
    ///   dropped for it.
    /// - Returns: Whether it was taken.
    func takeFrame(_ byteCount: Int, isNeeded: Bool) -> Bool {
        if take(byteCount) { return true }
        let mayEvict = state.withLock { $0.frameByteCount + byteCount <= $0.limit / 2 }
        guard mayEvict || isNeeded else { return false }
        makeRoom(for: byteCount, evictingPictures: mayEvict, droppingFrames: isNeeded)
        return take(byteCount)
    }

    /// Gives back the memory of a frame.
    func giveBackFrame(_ byteCount: Int) { state.withLock { $0.frameByteCount -= byteCount } }

    private func take(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard byteCount <= state.limit - state.frameByteCount - pictureByteCount else { return false }
            state.frameByteCount += byteCount
            return true
        }
    }

    private func makeRoom(for byteCount: Int, evictingPictures: Bool = true, droppingFrames: Bool = true) {
        // Retained until the lock is released: this may be the last reference to a holder.
        let holders = state.withLock { $0.holders.values.compactMap(\.object) }
        for holder in holders where holder.holdsFrames ? droppingFrames : evictingPictures {
            let excess = usedByteCount + byteCount - byteLimit
            guard excess > 0 else { return }
            holder.giveBack(excess)
        }
    }
}

/// An object whose memory counts in a ``MemoryBudget``.
protocol MemoryHolder: AnyObject, Sendable {
    /// Whether it holds frames; otherwise pictures.
    var holdsFrames: Bool { get }
    /// Frees `byteCount` bytes, or what it can, at once. Any thread.
    func giveBack(_ byteCount: Int)
}

extension MemoryBudget {
    private static var defaultByteLimit: Int {
        defaultByteLimit(
            memoryInformation: KernelFile.text("/proc/meminfo") ?? "", groupLimit: MemoryControlGroup.current?.limit)
    }

    /// - Parameter memoryInformation: The text of `/proc/meminfo`, whose numbers are in KiB.
    static func defaultByteLimit(memoryInformation: String, groupLimit: Int?) -> Int {
        let line = memoryInformation.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        let kibibytes = line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? fallbackKibibytes
        return min(kibibytes << 10, groupLimit ?? .max) / 4
    }

    /// Without `/proc`: half a gigabyte.
    private static let fallbackKibibytes = 1 << 19
}
