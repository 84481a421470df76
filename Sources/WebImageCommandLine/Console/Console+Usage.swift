import WebImage

extension Console {
    /// Prints the help or the version.
    package func show(_ text: String) -> ExitCode {
        printText(text)
        return hasLostOutput ? .failed : .done
    }

    /// Reports an invalid command line.
    ///
    /// - Parameter command: The subcommand; nil when there is none.
    package func refuse(_ error: UsageError, command: String?) -> ExitCode {
        let help = ["webimage", command, "--help"].compactMap(\.self).joined(separator: " ")
        printError("\(command.map { "\($0): " } ?? "")\(error.message) (see \(help))")
        return .usage
    }

    /// Reports why a command could not begin; a cancellation needs no words.
    package func fail(_ command: String, _ error: WebImageError) -> ExitCode {
        if !error.isCancelled { printError("\(command): \(error.reason)") }
        return .failed
    }

    /// Says that a picture is not for people to read.
    ///
    /// - Parameter output: How standard output stands in the command line.
    /// - Returns: nil where standard output is no terminal.
    package func refusePictureOnTerminal(_ command: String, _ output: String) -> ExitCode? {
        guard outputIsTerminal else { return nil }
        printError("\(command): \(output) would write a picture to the terminal; redirect it or give a file name")
        return .usage
    }
}
