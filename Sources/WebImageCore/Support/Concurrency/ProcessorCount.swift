import Glibc

/// The number of processors for this process.
package enum ProcessorCount {
    /// At least 1.
    package static let current = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
