import Glibc

/// The open files of the process.
package enum FileDescriptors {
    /// Whether another file can be opened now.
    package static var areFree: Bool {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
        close(descriptor)
        return true
    }
}
