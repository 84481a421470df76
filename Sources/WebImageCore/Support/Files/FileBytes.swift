import FoundationEssentials
import Glibc

/// The bytes of one file in memory, read once and passed on without copies.
///
/// `@unchecked Sendable`: its memory is written only before it is shared, and freed with the last owner.
package final class FileBytes: @unchecked Sendable {
    /// The status of the file when it was opened.
    package let status: FileStatus
    private let bytes: UnsafeMutableRawBufferPointer
    private let memory: UnsafeMutableRawPointer
    private static var alignment: Int { 64 }

    /// Memory for up to `capacity` bytes, at an address that is a multiple of 64. `fill` writes the first bytes and
    /// returns their number. nil when there is no memory.
    package init?<Failure: Error>(
        status: FileStatus, capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        // Not posix_memalign, which is slower and fragments the heap.
        guard let memory = malloc(capacity + Self.alignment) else { return nil }
        let base = memory.alignedUp(toMultipleOf: Self.alignment)
        do {
            let count = try fill(UnsafeMutableRawBufferPointer(start: base, count: capacity))
            bytes = UnsafeMutableRawBufferPointer(start: base, count: count)
        } catch {
            free(memory)
            throw error
        }
        self.memory = memory
        self.status = status
    }

    deinit { free(memory) }

    /// Bytes read.
    package var count: Int { bytes.count }

    /// Calls `body` with all bytes.
    package func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try body(UnsafeRawBufferPointer(bytes).bytes)
    }

    /// A range of the bytes as data that starts at index 0, without a copy: the memory lives as long as the data does.
    package func data(in range: Range<Int>) -> Data {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= count, let base = bytes.baseAddress else {
            return Data()
        }
        return Data(
            bytesNoCopy: base + range.lowerBound, count: range.count,
            deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
    }
}
