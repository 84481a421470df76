import Glibc

/// How many processors this process may use.
package enum ProcessorCount {
    /// At least 1.
    package static let current = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
