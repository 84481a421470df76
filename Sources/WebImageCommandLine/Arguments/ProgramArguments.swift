import WebImage

/// The arguments of the program, without its own name.
package enum ProgramArguments {
    /// `CommandLine.arguments` replaces bytes that are not UTF-8, and so would name another file.
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
