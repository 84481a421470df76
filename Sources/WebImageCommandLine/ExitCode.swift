/// The program's exit status.
package enum ExitCode: Int32 {
    /// Everything succeeded.
    case done = 0
    /// Something failed; standard error says what.
    case failed = 1
    /// The command line is invalid.
    case usage = 2
    /// Ended because the terminal is gone, as shells count: 128 and the signal's number.
    case hungUp = 129
    /// Ended by Control-C.
    case interrupted = 130
    /// Ended by a request to terminate.
    case terminated = 143
}
