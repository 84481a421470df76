/// One word of the command line: a value whose properties its options set, and which then runs.
package protocol Command {
    /// The word.
    static var name: String { get }
    /// What it does, for the list of commands.
    static var summary: String { get }
    /// How to write it, after the program's name; one or several ways.
    static var synopsis: [String] { get }
    /// Its own options; `--json`, `--quiet` and `--help` are added to them.
    static var options: [CommandOption<Self>] { get }
    /// What else there is to know, below the options.
    static var notes: String { get }

    init()
    /// How it tells what it did, set by the options that all commands share.
    var report: ReportOptions { get set }
    /// Takes the operands once all options are set, and finds what does not go together.
    mutating func prepare(operands: [String]) throws(UsageError)
    /// Does what was asked for. Must come to an end soon after the calling task is cancelled.
    func run(on console: Console) async -> ExitCode
}

/// How a command tells what it did.
package struct ReportOptions: Sendable, Equatable {
    /// For machines: JSON objects, one per line.
    package var isJSON = false
    /// Nothing but errors, and the JSON if that was asked for.
    package var isQuiet = false
    /// Print the help instead.
    fileprivate(set) var isHelp = false

    package init() {}
}

extension Command {
    /// Does what the arguments say, shows the help that they ask for, or says why they cannot be carried out.
    package static func run(_ arguments: [String], on console: Console) async -> ExitCode {
        do throws(UsageError) {
            guard let command = try parse(arguments) else { return console.show(help) }
            return await command.run(on: console)
        } catch {
            return console.refuse(error, command: name)
        }
    }

    /// The command that the arguments describe; nil when they ask for help.
    package static func parse(_ arguments: [String]) throws(UsageError) -> Self? {
        var command = Self()
        let operands = try table.parse(arguments, into: &command)
        if command.report.isHelp { return nil }
        try command.prepare(operands: operands)
        return command
    }

    /// The text of `--help`.
    package static var help: String {
        let usage = synopsis.map { "webimage \(name) \($0)" }.joined(separator: "\n       ")
        return "\(summary).\n\nUsage: \(usage)\n\nOptions:\n\(table.help)\n\(notes)\n"
    }

    private static var table: OptionTable<Self> {
        OptionTable(
            options: options + [
                .flag("json", \.report.isJSON, help: "print JSON, one object per line"),
                .flag("quiet", letter: "q", \.report.isQuiet, help: "print errors only"),
                .flag("help", letter: "h", \.report.isHelp, help: "print this help"),
            ])
    }
}
