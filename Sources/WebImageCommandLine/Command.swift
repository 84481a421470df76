/// One subcommand: a value whose properties its options set, and which then runs.
package protocol Command {
    /// The subcommand's name.
    static var name: String { get }
    /// The purpose of the command, for the list of subcommands.
    static var summary: String { get }
    /// Its usage after the program's name, one line for each form.
    static var synopsis: [String] { get }
    /// Its own options; `--json`, `--quiet` and `--help` are added to them.
    static var options: [CommandOption<Self>] { get }
    /// Further notes, below the options.
    static var notes: String { get }
    /// The completions that a shell offers for its operands; files by default.
    static var operands: ValueCompletion { get }

    init()
    /// How it reports, set by the options that all subcommands share.
    var report: ReportOptions { get set }
    /// Takes the operands once all options are set, and rejects contradictions.
    mutating func prepare(operands: [String]) throws(UsageError)
    /// Runs the command. Must return soon after the calling task is cancelled.
    func run(on console: Console) async -> ExitCode
}

/// How a command reports its results.
package struct ReportOptions: Sendable, Equatable {
    /// For machines: JSON objects, one per line.
    package var isJSON = false
    /// Only errors, and the JSON if requested.
    package var isQuiet = false
    /// Prints the help instead.
    fileprivate(set) var isHelp = false

    package init() {}

    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .flag("json", property.appending(path: \.isJSON), help: "print JSON, one object per line"),
            .flag("quiet", letter: "q", property.appending(path: \.isQuiet), help: "print errors only"),
            .flag("help", letter: "h", property.appending(path: \.isHelp), help: "print this help"),
        ]
    }
}

extension Command {
    package static var operands: ValueCompletion { .files }

    /// Runs the arguments, shows the requested help, or reports a usage error.
    package static func run(_ arguments: [String], on console: Console) async -> ExitCode {
        do throws(UsageError) {
            guard let command = try parse(arguments) else { return console.show(help) }
            return await command.run(on: console)
        } catch {
            return console.refuse(error, command: name)
        }
    }

    /// The parsed command; nil when the arguments request help.
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

    /// The command as data, for a manual and for the completions of shells.
    package static var description: CommandDescription {
        CommandDescription(
            name: name, summary: summary, synopsis: synopsis, options: table.options.map(\.description), notes: notes,
            operands: operands)
    }

    private static var table: OptionTable<Self> {
        OptionTable(options: options + ReportOptions.options(of: \.report))
    }
}
