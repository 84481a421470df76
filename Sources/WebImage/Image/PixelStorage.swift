import CLinux
import Glibc

/// One aligned, uninitialised allocation, freed with this object: the only place where pixel memory is allocated and
/// freed.
///
/// `@unchecked Sendable`: the address never changes, and ``Bitmap`` writes only before other code can access the
/// object.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    /// Above this size huge pages are worth their rounding: the first touch of 48 MB falls from 17 ms to 3 ms.
    private static let hugePageThreshold = 4 << 20
    private static let hugePageSize = 2 << 20
    private static let cacheLineSize = 64

    /// Returns nil when there is no memory: a picture that is too large must not end the process.
    init?(byteCount: Int) {
        let isLarge = byteCount >= Self.hugePageThreshold
        var address: UnsafeMutableRawPointer?
        let alignment = isLarge ? Self.hugePageSize : Self.cacheLineSize
        guard byteCount > 0, posix_memalign(&address, alignment, byteCount) == 0, let address else { return nil }
        // A hint: on a kernel without huge pages the call fails without harm.
        if isLarge { _ = madvise(address, byteCount, MADV_HUGEPAGE) }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    deinit { free(bytes.baseAddress) }
}
