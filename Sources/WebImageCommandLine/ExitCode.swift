/// What the program's exit status says.
package enum ExitCode: Int32 {
    /// Everything that was asked for was done.
    case done = 0
    /// Something that was asked for could not be done; standard error says what.
    case failed = 1
    /// The command line cannot be carried out as it is written.
    case usage = 2
    /// Ended because the terminal is gone, as shells count: 128 and the signal's number.
    case hungUp = 129
    /// Ended by Control-C.
    case interrupted = 130
    /// Ended by a request to terminate.
    case terminated = 143
}
