/// One option of a command as data: its spelling, the property that it sets, and its help.
package struct CommandOption<Target> {
    let name: String
    let letter: Character?
    /// The name of the value in the help; nil for a switch.
    let placeholder: String?
    let help: String
    let completion: ValueCompletion
    /// Whether all occurrences count.
    var isRepeatable = false
    let apply: (inout Target, _ argument: String) throws(UsageError) -> Void

    /// A switch.
    package static func flag(
        _ name: String, letter: Character? = nil, _ property: WritableKeyPath<Target, Bool>, help: String
    ) -> Self {
        Self(name: name, letter: letter, placeholder: nil, help: help, completion: .nothing) { target, _ in
            target[keyPath: property] = true
        }
    }

    /// An option with a value; the last occurrence counts.
    package static func value<Value>(
        _ name: String, letter: Character? = nil, _ kind: OptionValue<Value>,
        _ property: WritableKeyPath<Target, Value?>, help: String
    ) -> Self {
        Self(name: name, letter: letter, placeholder: kind.placeholder, help: help, completion: kind.completion) {
            target, argument throws(UsageError) in
            target[keyPath: property] = try kind.read(argument, for: name)
        }
    }

    /// An option with a value that may be repeated; all occurrences count.
    package static func values<Value>(
        _ name: String, _ kind: OptionValue<Value>, _ property: WritableKeyPath<Target, [Value]>, help: String
    ) -> Self {
        Self(
            name: name, letter: nil, placeholder: kind.placeholder, help: help, completion: kind.completion,
            isRepeatable: true
        ) { target, argument throws(UsageError) in
            target[keyPath: property].append(try kind.read(argument, for: name))
        }
    }

    /// An option that is one of several steps, which count in the order in which they are typed.
    ///
    /// - Parameter take: Gets the value, and the option as typed.
    package static func step<Value>(
        _ name: String, _ kind: OptionValue<Value>, help: String,
        take: @escaping (inout Target, Value, _ option: String) -> Void
    ) -> Self {
        Self(
            name: name, letter: nil, placeholder: kind.placeholder, help: help, completion: kind.completion,
            isRepeatable: true
        ) { target, argument throws(UsageError) in
            take(&target, try kind.read(argument, for: name), "--\(name) \(argument.printable)")
        }
    }

    /// A switch that is such a step.
    package static func step(
        _ name: String, help: String, take: @escaping (inout Target, _ option: String) -> Void
    ) -> Self {
        Self(name: name, letter: nil, placeholder: nil, help: help, completion: .nothing, isRepeatable: true) {
            target, _ in
            take(&target, "--\(name)")
        }
    }
}

extension OptionValue {
    fileprivate func read(_ argument: String, for name: String) throws(UsageError) -> Value {
        guard let value = parse(argument) else {
            if let question = Suggestion(for: argument, among: completion.words).question {
                throw UsageError("--\(name) \(argument.printable): \(question)")
            }
            throw UsageError("--\(name) \(argument.printable): give \(expectation)")
        }
        return value
    }
}
