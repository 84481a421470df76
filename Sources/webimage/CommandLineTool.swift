import WebImage
import WebImageCommandLine

/// The program: finds the subcommand and runs it.
struct CommandLineTool {
    private static var commands: [CommandEntry] {
        [
            CommandEntry(LoadCommand.self), CommandEntry(ExplainCommand.self), CommandEntry(InfoCommand.self),
            CommandEntry(ConvertCommand.self), CommandEntry(FramesCommand.self),
            CommandEntry(CacheCommand.self), CommandEntry(.transition),
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
        case "--version": return console.show("webimage \(WebImageVersion.current)\n")
        case nil: return console.refuse(UsageError("no command; \(Self.knownCommands)"), command: nil)
        case let word?:
            guard let command = Self.commands.first(where: { $0.name == word }) else {
                let problem =
                    word.hasPrefix("-") ? "no command before \(word.printable)" : "no command \(word.printable)"
                return console.refuse(UsageError("\(problem); \(Self.knownCommands)"), command: nil)
            }
            return await command.run(Array(arguments.dropFirst()), console)
        }
    }

    private static var knownCommands: String {
        "the commands are \(commands.map { $0.name }.inWords())"
    }

    private static var help: String {
        let width = commands.map { $0.name.count }.max() ?? 0
        let list = commands.map { "  \($0.name.padded(to: width))  \($0.summary.lowercasedFirst)\n" }.joined()
        return """
            Load pictures from the web, from files and from the cache, and tell what they are.

            Usage: webimage COMMAND [OPTION…] [OPERAND…]
                   webimage help [COMMAND]
                   webimage --help | --version

            Commands:
            \(list)
            Options and operands come in any order; -- ends the options. Results go to standard output, errors to
            standard error, one line each. The exit status is 0 when everything asked for was done, 1 when something
            failed, 2 when the command line is wrong, 130 after Control-C, and 129 where the terminal is gone.

            """
    }
}
