import Glibc

/// The open files of the process.
enum FileDescriptors {
    /// Whether another file can be opened now.
    static var areFree: Bool {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
        close(descriptor)
        return true
    }
}
