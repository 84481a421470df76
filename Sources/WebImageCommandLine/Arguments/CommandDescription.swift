/// A subcommand as data, for a manual and for the completions of shells.
package struct CommandDescription: Sendable {
    package let name: String
    package let summary: String
    package let synopsis: [String]
    package let options: [OptionDescription]
    package let notes: String
    /// The completions that a shell offers for its operands.
    package let operands: ValueCompletion

    package init(
        name: String, summary: String, synopsis: [String], options: [OptionDescription], notes: String,
        operands: ValueCompletion
    ) {
        self.name = name
        self.summary = summary
        self.synopsis = synopsis
        self.options = options
        self.notes = notes
        self.operands = operands
    }
}

/// An option as data.
package struct OptionDescription: Sendable {
    package let name: String
    package let letter: Character?
    /// The name of the value; nil for a switch.
    package let placeholder: String?
    /// Its help, in one line.
    package let help: String
    /// The completions that a shell offers for the value.
    package let completion: ValueCompletion
    /// Whether all occurrences count, and not only the last one.
    package let isRepeatable: Bool

    package init(
        name: String, letter: Character?, placeholder: String? = nil, help: String,
        completion: ValueCompletion = .nothing, isRepeatable: Bool = false
    ) {
        self.name = name
        self.letter = letter
        self.placeholder = placeholder
        self.help = help
        self.completion = completion
        self.isRepeatable = isRepeatable
    }

    /// `-o` and `--output`, or the latter alone.
    package var spellings: [String] { [letter.map { "-\($0)" }, "--\(name)"].compactMap(\.self) }
}

extension CommandOption {
    var description: OptionDescription {
        OptionDescription(
            name: name, letter: letter, placeholder: placeholder,
            help: help.split(separator: "\n").joined(separator: " "), completion: completion, isRepeatable: isRepeatable
        )
    }
}
