extension Console {
    /// Prints what was asked for: help, or the version.
    package func show(_ text: String) -> ExitCode {
        printText(text)
        return hasLostOutput ? .failed : .done
    }

    /// Says what is wrong with the command line.
    ///
    /// - Parameter command: The one that it was for; nil when there is none.
    package func refuse(_ error: UsageError, command: String?) -> ExitCode {
        let help = ["webimage", command, "--help"].compactMap(\.self).joined(separator: " ")
        printError("\(command.map { "\($0): " } ?? "")\(error.message) (see \(help))")
        return .usage
    }
}
