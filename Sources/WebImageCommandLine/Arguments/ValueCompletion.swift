/// The completions that a shell offers for an operand or for the value of an option.
package enum ValueCompletion: Sendable, Equatable {
    case nothing
    case files
    case directories
    /// Nothing else is accepted.
    case words([String])
    /// Some of what is accepted.
    case examples([String])

    /// All that is accepted; empty where that is no list.
    package var words: [String] {
        if case .words(let words) = self { words } else { [] }
    }
}
