import CLinux

/// The memory that `malloc` has from the system.
package enum Heap {
    /// Gives freed memory back, which `malloc` keeps for later where memory in use lies above it. Takes milliseconds; any
    /// thread.
    static func trim() { malloc_trim(0) }

    /// Makes `malloc` give each large block back as soon as it is freed. By default, one freed block of some megabytes makes it
    /// keep all smaller ones, for each thread. For programs, before they start threads.
    package static func giveLargeBlocksBack() {
        mallopt(M_MMAP_THRESHOLD, largeBlock)
        // A heap that shrinks with each block below that size would get all its pages anew for the next one.
        mallopt(M_TRIM_THRESHOLD, 4 * largeBlock)
    }

    private static let largeBlock: Int32 = 256 << 10
}
