import Glibc

/// The numbers 0, 1 and 2, which a parent may have left closed.
package enum StandardDescriptors {
    /// Takes the numbers that are free, lest a socket or a file of the cache get them and what is printed end up there.
    /// They are opened the wrong way round, so that using them still fails.
    package static func occupy() {
        for (number, direction) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is the one that is given out, and all below are taken.
            _ = open("/dev/null", direction)
        }
    }
}
