import WebImageCommandLine

/// The completions for fish.
struct FishCompletion {
    private let program: ProgramDescription

    init(_ program: ProgramDescription) { self.program = program }

    var text: String {
        let lines =
            [
                "# Completions of \(program.name) for fish, made by \(program.name) --generate fish.",
                "complete -c \(program.name) -f",
            ] + program.commands.map(command) + ["\(head(Self.first)) -a help -d 'Print the help of a command'"]
            + program.options.map { option($0, when: Self.first) }
            + ["\(head(seen("help"))) -a \(program.commands.map(\.name).joined(separator: " ").fishQuoted)"]
            + program.commands.flatMap(details)
        return lines.joined(separator: "\n") + "\n"
    }

    private static let first = "__fish_use_subcommand"

    private func seen(_ name: String) -> String { "__fish_seen_subcommand_from \(name)" }

    private func head(_ condition: String) -> String { "complete -c \(program.name) -n \(condition.fishQuoted)" }

    private func command(_ command: CommandDescription) -> String {
        "\(head(Self.first)) -a \(command.name) -d \(command.summary.fishQuoted)"
    }

    private func details(of command: CommandDescription) -> [String] {
        let condition = seen(command.name)
        let operands: [String] =
            switch command.operands {
            case .nothing: []
            case .files: ["\(head(condition)) -F"]
            case .directories: ["\(head(condition)) -a '(__fish_complete_directories)'"]
            case .words(let words), .examples(let words):
                [
                    "\(head("\(condition); and not __fish_seen_subcommand_from \(words.joined(separator: " "))")) "
                        + "-a \(words.joined(separator: " ").fishQuoted)"
                ]
            }
        return operands + command.options.map { option($0, when: condition) }
    }

    private func option(_ option: OptionDescription, when condition: String) -> String {
        let letter = option.letter.map { " -s \($0)" } ?? ""
        let value: String =
            switch option.completion {
            case _ where option.placeholder == nil: ""
            case .nothing: " -x"
            case .files: " -r -F"
            case .directories: " -x -a '(__fish_complete_directories)'"
            case .words(let words), .examples(let words): " -x -a \(words.joined(separator: " ").fishQuoted)"
            }
        return "\(head(condition))\(letter) -l \(option.name)\(value) -d \(option.help.fishQuoted)"
    }
}
