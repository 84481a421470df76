import WebImageCommandLine

/// A word that the program knows, with what it does.
struct CommandEntry {
    let name: String
    let summary: String
    let run: (_ arguments: [String], Console) async -> ExitCode
}

extension CommandEntry {
    /// A command of this program.
    init<Chosen: Command>(_ command: Chosen.Type) {
        self.init(name: command.name, summary: command.summary) { await command.run($0, on: $1) }
    }

    /// A command of another program, which is not there everywhere.
    init(_ command: CompanionCommand) {
        self.init(name: command.name, summary: command.summary) { command.run($0, on: $1) }
    }
}
