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
}
