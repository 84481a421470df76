import WebImageCommandLine

/// A subcommand's name, with what it does.
struct CommandEntry {
    let name: String
    let summary: String
    let run: (_ arguments: [String], Console) async -> ExitCode
}

extension CommandEntry {
    /// A subcommand of this program.
    init<Chosen: Command>(_ command: Chosen.Type) {
        self.init(name: command.name, summary: command.summary) { await command.run($0, on: $1) }
    }

    /// A subcommand of another program, which may not be installed.
    init(_ command: CompanionCommand) {
        self.init(name: command.name, summary: command.summary) { command.run($0, on: $1) }
    }
}
