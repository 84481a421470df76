import WebImage

/// What the program was started with, without its own name.
package enum ProgramArguments {
    /// `CommandLine.arguments` would put replacement characters for bytes that are no UTF-8, and so name another file.
    package static func read() throws(UsageError) -> [String] {
        var arguments: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index] else { break }
            guard let text = String(validatingCString: bytes) else {
                throw UsageError(
                    "\(String(cString: bytes).printable) is not UTF-8; rename the file, or write it as a file: URL "
                        + "with %FF and the like for such bytes")
            }
            arguments.append(text)
        }
        return arguments
    }
}
