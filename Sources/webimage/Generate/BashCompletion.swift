import WebImageCommandLine

/// The completions for bash, from version 4 on, without the functions of the package bash-completion.
struct BashCompletion {
    private let program: ProgramDescription

    init(_ program: ProgramDescription) { self.program = program }

    var text: String {
        """
        # Completions of \(program.name) for bash, made by \(program.name) --generate bash.

        _\(program.name)_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }

        _\(program.name)_files() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen "$1" -- "$word")
        }

        _\(program.name)() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} index
            COMPREPLY=()
            if ((COMP_CWORD == 1)); then
                _\(program.name)_words \(firstWords.shellQuoted)
                return
            fi
            # Bash makes three words of --option=value.
            if [[ $word == "=" ]]; then
                word=
            elif [[ $before == "=" ]]; then
                before=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            for ((index = 2; index < COMP_CWORD; index++)); do
                if [[ ${COMP_WORDS[index]} == -- ]]; then
                    _\(program.name)_operands
                    return
                fi
            done
            case "$command $before" in
        \(values)    esac
            if [[ $word != -* ]]; then
                _\(program.name)_operands
                return
            fi
            case "$command" in
        \(names)    esac
        }

        _\(program.name)_operands() {
            case "$command" in
        \(operands)    esac
        }

        complete -F _\(program.name) \(program.name)

        """
    }

    private var firstWords: String {
        (program.commands.map(\.name) + ["help"] + program.options.flatMap(\.spellings)).joined(separator: " ")
    }

    /// A case for each option with a value.
    private var values: String {
        program.commands.flatMap { command in
            command.options.filter { $0.placeholder != nil }.map { option in
                let patterns = option.spellings.map { "\"\(command.name) \($0)\"" }.joined(separator: " | ")
                return "        \(patterns)) \(action(option.completion)); return ;;\n"
            }
        }.joined()
    }

    private var names: String {
        program.commands.map { command in
            let words = command.options.flatMap(\.spellings).joined(separator: " ")
            return "        \(command.name)) _\(program.name)_words \(words.shellQuoted) ;;\n"
        }.joined()
    }

    private var operands: String {
        let own = program.commands.map { command in
            "        \(command.name)) \(action(command.operands)) ;;\n"
        }
        let first = program.options.filter { $0.placeholder != nil }.map { option in
            "        --\(option.name)) \(action(option.completion)) ;;\n"
        }
        let names = program.commands.map(\.name).joined(separator: " ").shellQuoted
        return own.joined() + first.joined() + "        help) _\(program.name)_words \(names) ;;\n"
    }

    private func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: ":"
        case .files: "_\(program.name)_files -f"
        case .directories: "_\(program.name)_files -d"
        case .words(let words), .examples(let words):
            "_\(program.name)_words \(words.joined(separator: " ").shellQuoted)"
        }
    }
}
