import Dispatch
import Synchronization
import WebImageCore

/// Memory for pixels that workers write: kept for the next picture, because the first touch of fresh pages takes longer than
/// decoding into them. What returns is cleared before another worker gets it. Any thread.
package final class SharedBufferPool: Sendable {
    package static let shared = SharedBufferPool()

    private struct Idle {
        let memory: SharedMemory
        let since: ContinuousClock.Instant
    }

    private struct State {
        var idle: [Idle] = []
        /// Bytes that are idle, or are being cleared for that.
        var keptByteCount = 0
        var isWatched = false
        /// Buffers in use.
        var lentCount = 0
    }

    private let maximumByteCount: Int
    private let perform: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())
    private let listener = Mutex<MemoryPressureListener?>(nil)

    private static let keptSeconds = 5
    /// A cache may hold thousands of pictures, and a process has a thousand descriptors.
    private static let mostDescriptors = 64

    /// - Parameters:
    ///   - maximumByteCount: What is kept for later.
    ///   - pressure: Drops what is kept.
    ///   - perform: Clears memory, on another thread.
    package init(
        maximumByteCount: Int = 128 << 20, pressure: MemoryPressure = .shared,
        perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
            DispatchQueue.global(qos: .utility).async(execute: work)
        }
    ) {
        self.maximumByteCount = maximumByteCount
        self.perform = perform
        listener.withLock { $0 = MemoryPressureListener(pressure) { [weak self] _ in self?.dropAll() } }
    }

    /// The bytes that are kept for later.
    package var idleByteCount: Int { state.withLock { $0.idle.reduce(0) { $0 + $1.memory.bytes.count } } }

    /// A buffer of at least `byteCount` bytes, all zero. It returns once neither the buffer nor its file is used any more.
    func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer {
        do throws(SystemFailure) {
            let memory = try memory(of: byteCount)
            let keepsFile = state.withLock { state in
                state.lentCount += 1
                return state.lentCount <= Self.mostDescriptors
            }
            let file = OwnedDescriptor(memory.file.number) { [weak self] _ in self?.takeBack(memory) }
            return SharedBuffer(of: memory, file: file, keepsFile: keepsFile)
        } catch {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .transient,
                reason: "there is no shared memory of \(byteCount) bytes for the picture's decoder: \(error.text)")
        }
    }

    /// Sizes that pictures of nearly the same size share.
    private static func rounded(_ byteCount: Int) -> Int {
        let power = byteCount <= 1 ? 1 : 1 << (Int.bitWidth - (byteCount - 1).leadingZeroBitCount)
        let step = max(64 << 10, power / 8)
        return (max(1, byteCount) + step - 1) / step * step
    }

    private func memory(of byteCount: Int) throws(SystemFailure) -> SharedMemory {
        if let memory = take(byteCount) { return memory }
        return try SharedMemory(byteCount: Self.rounded(byteCount))
    }

    private func take(_ byteCount: Int) -> SharedMemory? {
        state.withLock { state in
            let fitting = state.idle.indices.filter {
                (byteCount...2 * max(byteCount, 64 << 10)).contains(state.idle[$0].memory.bytes.count)
            }
            let best = fitting.min { state.idle[$0].memory.bytes.count < state.idle[$1].memory.bytes.count }
            guard let best else { return nil }
            let memory = state.idle.remove(at: best).memory
            state.keptByteCount -= memory.bytes.count
            return memory
        }
    }

    private func takeBack(_ memory: SharedMemory) {
        let isKept = state.withLock { state in
            state.lentCount -= 1
            let count = state.keptByteCount + memory.bytes.count
            guard memory.file.number >= 0, count <= maximumByteCount else { return false }
            state.keptByteCount = count
            return true
        }
        guard isKept else { return }
        perform { [weak self] in
            memory.clear()
            self?.keep(memory)
        }
    }

    private func keep(_ memory: SharedMemory) {
        let mustWatch = state.withLock { state in
            state.idle.append(Idle(memory: memory, since: .now))
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if mustWatch { watch() }
    }

    private func watch() {
        let end = DispatchTime.now() + .seconds(Self.keptSeconds)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: end) { [weak self] in self?.dropIdle(at: .now) }
    }

    /// Gives back what was not used for a while, and schedules itself for the rest.
    func dropIdle(at now: ContinuousClock.Instant) {
        if drop(where: { $0.since <= now - .seconds(Self.keptSeconds) }) { watch() }
    }

    private func dropAll() { _ = drop { _ in true } }

    /// Whether any is left.
    private func drop(where isDropped: (Idle) -> Bool) -> Bool {
        // Unmapped outside of the lock.
        let dropped = state.withLock { state in
            let dropped = state.idle.filter(isDropped)
            state.idle.removeAll(where: isDropped)
            state.keptByteCount -= dropped.reduce(0) { $0 + $1.memory.bytes.count }
            state.isWatched = !state.idle.isEmpty
            return (dropped, state.isWatched)
        }
        return dropped.1
    }
}
