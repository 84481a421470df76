import Glibc

/// What the program's exit status says.
enum ExitCode: Int32 {
    /// Everything that was asked for was done.
    case done = 0
    /// Something that was asked for could not be done; standard error says what.
    case failed = 1
    /// The command line cannot be carried out as it is written.
    case usage = 2
}

/// One line on standard error.
func complain(_ message: String) {
    let line = Array("webimage-gallery: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
