import CLinux
import Synchronization
import WebImageCore

/// A value that many threads read at once and few change.
///
/// A reader locks the stripe of its current processor, which other processors rarely use: two threads that read move no
/// cache line between them. (Locks by key would: the last owner of such a lock is mostly another thread.) A writer
/// locks all stripes, which takes some ten nanoseconds for each.
///
/// Each stripe has its own `Tally`, since readers that count in one place would wait for each other.
///
/// `@unchecked Sendable`: the value is read under at least one stripe's lock, and changed under the locks of all.
final class ReadMostlyMutex<Value: ~Copyable, Tally: Sendable>: @unchecked Sendable {
    private struct Stripe: ~Copyable {
        let tally: Mutex<Tally>
        /// Keeps the next stripe's lock out of this cache line, and of the one that is prefetched with it.
        let distance = InlineArray<16, UInt64>(repeating: 0)
    }

    private let stripes: InlineArray<16, Stripe>
    /// The number of stripes in use, less one: the number is a power of two, and at most the number of processors.
    private let mask: Int
    private let value: UnsafeMutablePointer<Value>

    init(_ value: consuming Value, tally: Tally) {
        stripes = InlineArray { _ in Stripe(tally: Mutex(tally)) }
        var mask = 1
        while mask < ProcessorCount.current { mask *= 2 }
        self.mask = min(mask, 16) - 1
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Reads the value, concurrently with other readers.
    func read<Result: Sendable>(_ body: (borrowing Value, inout Tally) -> Result) -> Result {
        // A thread that moves to another processor meanwhile shares a lock for once.
        let stripe = Int(sched_getcpu()) & mask
        return stripes[stripe].tally.withLock { tally in body(value.pointee, &tally) }
    }

    /// Changes the value, exclusively.
    func write<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { write(lockedUpTo: 0, body) }

    /// The counts so far, one tally for each stripe.
    var tallies: [Tally] {
        (0...mask).map { index in stripes[index].tally.withLock { $0 } }
    }

    /// A lock is held for one call: the calls are nested, to hold all locks.
    private func write<Result: Sendable>(lockedUpTo index: Int, _ body: (inout Value) -> Result) -> Result {
        guard index <= mask else { return body(&value.pointee) }
        return stripes[index].tally.withLock { _ in write(lockedUpTo: index + 1, body) }
    }
}
