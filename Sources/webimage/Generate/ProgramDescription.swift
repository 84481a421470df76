import WebImageCommandLine

/// The whole program as data, for a manual and for the completions of shells.
struct ProgramDescription {
    let name: String
    let version: String
    let summary: String
    /// After the program's name.
    let synopsis: [String]
    /// Those in place of a command.
    let options: [OptionDescription]
    let commands: [CommandDescription]
    let notes: String
}

/// A file that `webimage --generate` writes.
enum GeneratedFile: String, CaseIterable {
    case man, bash, zsh, fish

    func text(of program: ProgramDescription) -> String {
        switch self {
        case .man: ManualPage(program).text
        case .bash: BashCompletion(program).text
        case .zsh: ZshCompletion(program).text
        case .fish: FishCompletion(program).text
        }
    }
}
