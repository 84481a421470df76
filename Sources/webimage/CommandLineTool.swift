import WebImage
import WebImageCommandLine

/// The program: finds the subcommand and runs it.
struct CommandLineTool {
    private static var commands: [CommandEntry] {
        [
            CommandEntry(LoadCommand.self), CommandEntry(ExplainCommand.self), CommandEntry(InfoCommand.self),
            CommandEntry(ConvertCommand.self), CommandEntry(FramesCommand.self), CommandEntry(CompareCommand.self),
            CommandEntry(HashCommand.self), CommandEntry(ShowCommand.self), CommandEntry(PlayCommand.self),
            CommandEntry(CacheCommand.self), CommandEntry(ServeCommand.self), CommandEntry(.transition),
        ]
    }

    let console: Console

    /// Runs with the program's arguments.
    func run() async -> ExitCode {
        do throws(UsageError) {
            return await run(try ProgramArguments.read())
        } catch {
            return console.refuse(error, command: nil)
        }
    }

    func run(_ arguments: [String]) async -> ExitCode {
        WebImageLog.setHandler { [console] in console.printError("warning: \($0)") }
        switch arguments.first {
        case "--help", "-h": return console.show(Self.help)
        case "help": return await run(arguments.dropFirst().prefix(1) + ["--help"])
        case "--version", "-V": return console.show(version(isVerbose: arguments.contains("--verbose")))
        case "--generate": return generate(Array(arguments.dropFirst()))
        case nil: return console.refuse(UsageError("no command; \(Self.knownCommands)"), command: nil)
        case let word?:
            guard let command = Self.commands.first(where: { $0.name == word }) else {
                return console.refuse(Self.unknown(word), command: nil)
            }
            return await command.run(Array(arguments.dropFirst()), console)
        }
    }

    /// - Parameter isVerbose: Whether it tells how decoders are locked in where an app decodes in processes of their own.
    private func version(isVerbose: Bool) -> String {
        let version = "webimage \(WebImageVersion.current)\n"
        guard isVerbose else { return version }
        do throws(WebImageError) {
            let status = try DecoderIsolation.helper.status()
            return version + "decoders: \(status.helperPath)\n\(status.description)\n"
        } catch {
            return version + "decoders: \(error.reason)\n"
        }
    }

    private static func unknown(_ word: String) -> UsageError {
        let isOption = word.hasPrefix("-")
        let problem = isOption ? "no command before \(word.printable)" : "no command \(word.printable)"
        let words = isOption ? ["--help", "--version", "--generate"] : commands.map(\.name) + ["help"]
        return UsageError("\(problem); \(Suggestion(for: word, among: words).question ?? knownCommands)")
    }

    /// Writes the manual, or the completions of a shell.
    private func generate(_ operands: [String]) -> ExitCode {
        let kinds = GeneratedFile.allCases.map(\.rawValue)
        guard operands.count == 1, let kind = operands.first.flatMap(GeneratedFile.init) else {
            let question = operands.count == 1 ? Suggestion(for: operands[0], among: kinds).question : nil
            return console.refuse(UsageError("--generate: \(question ?? "give \(kinds.inWords("or"))")"), command: nil)
        }
        return console.show(kind.text(of: Self.description))
    }

    private static var knownCommands: String {
        "the commands are \(commands.map { $0.name }.inWords())"
    }

    private static var description: ProgramDescription {
        ProgramDescription(
            name: "webimage", version: WebImageVersion.current, summary: summary,
            synopsis: [
                "COMMAND [OPTION…] [OPERAND…]", "help [COMMAND]",
                "--help | --version, -V | --generate \(GeneratedFile.allCases.map(\.rawValue).joined(separator: "|"))",
            ],
            options: [
                OptionDescription(name: "help", letter: "h", help: "print the commands, or of a command its options"),
                OptionDescription(
                    name: "version", letter: "V",
                    help: "print the version; with --verbose, also how decoders are locked in"),
                OptionDescription(
                    name: "generate", letter: nil, placeholder: "KIND",
                    help: "print the manual page (man) or the completions of a shell (bash, zsh, fish)",
                    completion: .words(GeneratedFile.allCases.map(\.rawValue))),
            ],
            commands: commands.map(\.description), notes: notes)
    }

    private static let summary = "Load pictures from the web, from files and from the cache, and tell what they are"

    private static let notes = """
        Options and operands come in any order; -- ends the options. Results go to standard output, errors to
        standard error, one line each. The exit status is 0 when everything asked for was done, 1 when something
        failed, 2 when the command line is wrong, 130 after Control-C, and 129 where the terminal is gone.
        """

    private static var help: String {
        let width = commands.map { $0.name.count }.max() ?? 0
        let list = commands.map {
            "  \($0.name.padded(to: width))  \($0.description.summary.lowercasedFirst)\n"
        }.joined()
        let usage = description.synopsis.map { "webimage \($0)" }.joined(separator: "\n       ")
        return """
            \(summary).

            Usage: \(usage)

            Commands:
            \(list)
            \(notes)

            """
    }
}
