import CLinux
import Glibc

/// The descriptors 0, 1 and 2, which a parent process may have closed.
package enum StandardDescriptors {
    /// Opens the closed ones, so that no socket or cache file gets their number and with it the program's output. They
    /// are opened in the wrong direction, so that using them still fails.
    package static func occupy() {
        for (number, direction) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            // `open` returns the lowest free number, and all lower ones are taken.
            _ = open("/dev/null", direction)
        }
    }

    /// Leaves standard error to the program's own lines. Before other threads begin.
    package static func silenceLibraries() { webimage_silence_libraries() }
}
