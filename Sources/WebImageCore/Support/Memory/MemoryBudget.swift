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

    private struct Holder {
        weak var object: (any MemoryHolder)?
    }

    private let holders = Mutex<[ObjectIdentifier: Holder]>([:])
    // Caches read them at each store.
    private let pictures = Atomic(0)
    private let frames = Atomic(0)
    private let limit: Atomic<Int>

    /// - Parameter byteLimit: Negative is 0.
    package init(byteLimit: Int) {
        limit = Atomic(max(0, byteLimit))
    }

    /// The most bytes. Any thread. A lower limit applies at once.
    public var byteLimit: Int {
        get { limit.load(ordering: .relaxed) }
        set {
            limit.store(max(0, newValue), ordering: .relaxed)
            makeRoom(for: 0) { _ in true }
        }
    }

    /// The bytes that pictures and frames take now.
    public var usedByteCount: Int { pictureByteCount + frameByteCount }

    /// The bytes that frames take now.
    public var frameByteCount: Int { frames.load(ordering: .relaxed) }

    /// The bytes that pictures take now.
    public var pictureByteCount: Int { pictures.load(ordering: .relaxed) }

    /// The bytes left for pictures.
    package var pictureRoom: Int { byteLimit - usedByteCount }

    /// Frames that no player needs make room for a picture. The caller must hold no lock.
    package func makePictureRoom(for byteCount: Int) {
        if frameByteCount > 0, pictureRoom < byteCount { makeRoom(for: byteCount, from: \.isIdle) }
    }

    /// The pictures of a cache have changed by this many bytes.
    package func addPictures(_ byteCount: Int) { pictures.add(byteCount, ordering: .relaxed) }

    /// Adds an object that gives back memory when there is too little. Held weakly.
    package func add(_ holder: any MemoryHolder) {
        holders.withLock { $0[ObjectIdentifier(holder)] = Holder(object: holder) }
    }

    /// Removes a holder, which may be in its deinitializer.
    package func remove(_ id: ObjectIdentifier) { _ = holders.withLock { $0.removeValue(forKey: id) } }

    /// Takes memory for a frame.
    ///
    /// - Parameter isNeeded: Whether an animation stands still without it: then frames that are decoded ahead are
    ///   dropped for it.
    /// - Returns: Whether it was taken.
    package func takeFrame(_ byteCount: Int, isNeeded: Bool) -> Bool {
        if take(byteCount) { return true }
        let mayEvict = frameByteCount + byteCount <= byteLimit / 2
        makeRoom(for: byteCount) { $0.holdsFrames ? isNeeded || $0.isIdle : mayEvict }
        return take(byteCount)
    }

    /// Gives back the memory of a frame.
    package func giveBackFrame(_ byteCount: Int) { frames.subtract(byteCount, ordering: .relaxed) }

    private func take(_ byteCount: Int) -> Bool {
        let taken = frames.add(byteCount, ordering: .relaxed).newValue
        if taken + pictureByteCount <= byteLimit { return true }
        giveBackFrame(byteCount)
        return false
    }

    private func makeRoom(for byteCount: Int, from isAsked: (any MemoryHolder) -> Bool) {
        // Retained until the lock is released: this may be the last reference to a holder.
        let holders = holders.withLock { $0.values.compactMap(\.object) }
        for holder in holders where isAsked(holder) {
            let excess = usedByteCount + byteCount - byteLimit
            guard excess > 0 else { return }
            holder.giveBack(excess)
        }
    }
}

/// An object whose memory counts in a ``MemoryBudget``.
package protocol MemoryHolder: AnyObject, Sendable {
    /// Whether it holds frames; otherwise pictures.
    var holdsFrames: Bool { get }
    /// Whether it holds what is not used now.
    var isIdle: Bool { get }
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
