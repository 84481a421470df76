import WebImageCommandLine

/// A subcommand, with what it does.
struct CommandEntry {
    let description: CommandDescription
    let run: (_ arguments: [String], Console) async -> ExitCode

    var name: String { description.name }
}

extension CommandEntry {
    /// A subcommand of this program.
    init<Chosen: Command>(_ command: Chosen.Type) {
        self.init(description: command.description) { await command.run($0, on: $1) }
    }

    /// A subcommand of another program, which may not be installed.
    init(_ command: CompanionCommand) {
        self.init(description: command.description) { command.run($0, on: $1) }
    }
}
