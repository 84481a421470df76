import CLinux
import FoundationEssentials
import Glibc

/// Collects the pieces of a body in one allocation, which becomes a `Data` without a copy.
struct BodyBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    /// The most that is reserved for an announced length; a longer body grows the buffer as it arrives.
    static let largestReservation = 16 << 20

    deinit { free(base) }

    /// Reserves room for `expected` bytes in all; a hostile length costs at most ``largestReservation``. False when
    /// there is no memory.
    mutating func reserve(_ expected: Int) -> Bool {
        let capacity = min(expected, Self.largestReservation)
        return base == nil && capacity >= Self.hugePageThreshold ? makeLarge(capacity) : grow(to: capacity)
    }

    /// From here on the first touch of the usual pages takes as long as receiving the bytes.
    private static let hugePageThreshold = 4 << 20
    private static let hugePageSize = 2 << 20

    private mutating func makeLarge(_ byteCount: Int) -> Bool {
        guard posix_memalign(&base, Self.hugePageSize, byteCount) == 0, let base else { return false }
        // A hint: on a kernel without huge pages the call fails without harm.
        _ = madvise(base, byteCount, MADV_HUGEPAGE)
        capacity = byteCount
        return true
    }

    /// False when there is no memory; the bytes so far stay.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return true }
        let (needed, overflow) = count.addingReportingOverflow(bytes.count)
        guard !overflow, needed <= capacity || grow(to: max(needed, 2 * capacity, 16384)), let base else {
            return false
        }
        memcpy(base + count, source, bytes.count)
        count = needed
        return true
    }

    /// Room for at least `byteCount` more bytes, to be filled from its start and then counted with ``advance(by:)``.
    mutating func withFreeSpace<Result>(
        atLeast byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
    ) -> Result? {
        guard capacity - count >= byteCount || grow(to: max(count + byteCount, 2 * capacity)), let base else {
            return nil
        }
        return body(UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count))
    }

    mutating func advance(by byteCount: Int) {
        count = min(count + byteCount, capacity)
    }

    /// A copy of the bytes from `offset` on.
    func data(from offset: Int) -> Data {
        guard let base, offset < count else { return Data() }
        return Data(bytes: base + offset, count: count - offset)
    }

    /// The bytes, and an empty buffer left behind.
    mutating func takeData() -> Data {
        guard let base, count > 0 else { return Data() }
        // A body of unknown length may fill only half of its allocation; shrinking the allocation never copies far.
        let whole = capacity - count > count / 8 ? realloc(base, count) ?? base : base
        let data = Data(bytesNoCopy: whole, count: count, deallocator: .free)
        self.base = nil
        capacity = 0
        count = 0
        return data
    }

    private mutating func grow(to newCapacity: Int) -> Bool {
        guard newCapacity > capacity else { return true }
        guard let larger = realloc(base, newCapacity) else { return false }
        base = larger
        capacity = newCapacity
        return true
    }
}
