import CLinux
import Synchronization

/// A value that many look into at once and few change.
///
/// A reader locks the stripe of the processor that it runs on, which nobody else touches as a rule: two threads that read
/// move no cache line between them. (Locks by key would: the thread that had the lock last is mostly another one.) Whoever
/// changes the value locks all stripes, which takes some ten nanoseconds for each.
///
/// Each stripe has a `Tally` of its own, since readers who count in one place would wait for each other there.
///
/// `@unchecked Sendable`: the value is read under one stripe's lock at least, and changed under the locks of all.
final class ReadMostlyMutex<Value: ~Copyable, Tally: Sendable>: @unchecked Sendable {
    private struct Stripe: ~Copyable {
        let tally: Mutex<Tally>
        /// Keeps the next stripe's lock out of this one's cache line, and of the one that is fetched with it.
        let distance = InlineArray<16, UInt64>(repeating: 0)
    }

    private let stripes: InlineArray<16, Stripe>
    /// How many of the stripes are in use, less one: a power of two, and no more than there are processors.
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

    /// Looks into the value, together with others.
    func read<Result: Sendable>(_ body: (borrowing Value, inout Tally) -> Result) -> Result {
        // Where the thread has moved on meanwhile, it shares a lock for once.
        let stripe = Int(sched_getcpu()) & mask
        return stripes[stripe].tally.withLock { tally in body(value.pointee, &tally) }
    }

    /// Changes the value, alone.
    func write<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { write(lockedUpTo: 0, body) }

    /// What has been counted so far, a part for each stripe.
    var tallies: [Tally] {
        (0...mask).map { index in stripes[index].tally.withLock { $0 } }
    }

    /// A lock is held for the length of a call: all of them for a call within a call.
    private func write<Result: Sendable>(lockedUpTo index: Int, _ body: (inout Value) -> Result) -> Result {
        guard index <= mask else { return body(&value.pointee) }
        return stripes[index].tally.withLock { _ in write(lockedUpTo: index + 1, body) }
    }
}
