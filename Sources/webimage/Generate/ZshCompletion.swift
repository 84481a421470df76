import WebImageCommandLine

/// The completions for zsh: a file of the name `_webimage` in a directory of `$fpath`.
struct ZshCompletion {
    private let program: ProgramDescription

    init(_ program: ProgramDescription) { self.program = program }

    var text: String {
        """
        #compdef \(program.name)
        # Completions of \(program.name) for zsh, made by \(program.name) --generate zsh.

        _\(program.name)() {
            local -a commands
            commands=(
        \(commands)    )
            if ((CURRENT == 2)); then
                _describe -t commands command commands
                [[ $PREFIX == -* ]] && _arguments \(program.options.flatMap { spec($0) }.joined(separator: " "))
                return
            fi
            local command=$words[2]
            shift words
            ((CURRENT--))
            case $command in
        \(cases)        help) ((CURRENT == 2)) && _describe -t commands command commands ;;
                --generate) ((CURRENT == 2)) && compadd \(GeneratedFile.allCases.map(\.rawValue).joined(separator: " ")) ;;
            esac
        }

        # Where the file is a function of $fpath, and where it is read as a script.
        if [[ $funcstack[1] == _\(program.name) ]]; then
            _\(program.name) "$@"
        else
            compdef _\(program.name) \(program.name)
        fi

        """
    }

    private var commands: String {
        let all =
            program.commands.map { ($0.name, $0.summary.lowercasedFirst) } + [("help", "print the help of a command")]
        return all.map { "        \("\($0):\($1)".shellQuoted)\n" }.joined()
    }

    private var cases: String {
        program.commands.map { command in
            let specs = command.options.flatMap { spec($0) } + [operands(of: command)].compactMap(\.self)
            let lines = specs.map { " \\\n                \($0)" }.joined()
            return "        \(command.name))\n            _arguments -s -S\(lines)\n            ;;\n"
        }.joined()
    }

    /// An option is offered once, by either spelling, unless it may be repeated.
    private func spec(_ option: OptionDescription) -> [String] {
        let spellings = option.spellings.joined(separator: " ")
        let exclusion = option.isRepeatable ? "*" : option.letter == nil ? "" : "(\(spellings))"
        return option.spellings.map { spelling in
            let sign = option.placeholder == nil ? "" : spelling.hasPrefix("--") ? "=" : "+"
            let value = option.placeholder.map { ":\(escaped($0)):\(action(option.completion))" } ?? ""
            return "\(exclusion)\(spelling)\(sign)[\(escaped(option.help))]\(value)".shellQuoted
        }
    }

    private func operands(of command: CommandDescription) -> String? {
        switch command.operands {
        case .nothing: nil
        case .words, .examples: "1:action:\(action(command.operands))".shellQuoted
        default: "*:picture:\(action(command.operands))".shellQuoted
        }
    }

    private func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .directories: "_directories"
        case .words(let words), .examples(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private func escaped(_ text: String) -> String {
        ["\\", "[", "]", ":"].reduce(text) { $0.replacing($1, with: "\\\($1)") }
    }
}
