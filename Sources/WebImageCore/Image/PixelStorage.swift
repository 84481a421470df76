import CLinux
import Glibc

/// One aligned, uninitialised allocation, freed with this object, or memory that is shared with the process that decoded:
/// the only place where pixel memory is allocated and freed.
///
/// `@unchecked Sendable`: the address never changes, and ``Bitmap`` writes only before other code can access the
/// object.
package final class PixelStorage: @unchecked Sendable {
    package let bytes: UnsafeMutableRawBufferPointer
    /// The buffer that the bytes are a part of; nil for memory of this object's own.
    let buffer: SharedBuffer?

    /// Above this size huge pages are worth their rounding: the first touch of 48 MB falls from 17 ms to 3 ms.
    private static let hugePageThreshold = 4 << 20
    private static let hugePageSize = 2 << 20
    private static let cacheLineSize = 64
    /// Below this size a copy costs less than a question to another process.
    private static let leastSharedByteCount = 64 << 10

    /// Returns nil when there is no memory: a picture that is too large must not end the process.
    package init?(byteCount: Int) {
        let isLarge = byteCount >= Self.hugePageThreshold
        var address: UnsafeMutableRawPointer?
        let alignment = isLarge ? Self.hugePageSize : Self.cacheLineSize
        guard byteCount > 0, posix_memalign(&address, alignment, byteCount) == 0, let address else { return nil }
        // A hint: on a kernel without huge pages the call fails without harm.
        if isLarge { _ = madvise(address, byteCount, MADV_HUGEPAGE) }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
        buffer = nil
    }

    /// A part of shared memory; nil where it has no such part.
    init?(sharing buffer: SharedBuffer, from offset: Int, byteCount: Int) {
        guard byteCount > 0, offset >= 0, offset.isMultiple(of: Self.cacheLineSize), byteCount <= buffer.bytes.count,
            offset <= buffer.bytes.count - byteCount
        else { return nil }
        bytes = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[offset..<offset + byteCount])
        self.buffer = buffer
    }

    deinit {
        if buffer == nil { free(bytes.baseAddress) }
    }

    /// For the pixels of a bitmap: in a process that decodes for another one, in memory of that.
    static func ofBitmap(byteCount: Int) -> PixelStorage? {
        guard IsolatedProcess.isCurrent, byteCount >= leastSharedByteCount,
            let buffer = IsolatedProcess.pixelMemory(byteCount: byteCount)
        else { return PixelStorage(byteCount: byteCount) }
        return PixelStorage(sharing: buffer, from: 0, byteCount: byteCount) ?? PixelStorage(byteCount: byteCount)
    }
}
