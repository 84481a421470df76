import Glibc

/// The program's exit status.
enum ExitCode: Int32 {
    /// Everything succeeded.
    case done = 0
    /// Something failed; standard error says what.
    case failed = 1
    /// The command line is invalid.
    case usage = 2
}

/// One line on standard error.
func complain(_ message: String) {
    let line = Array("webimage-gallery: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
