import WebImage
import WebImageCommandLine

/// How a terminal draws pictures.
enum TerminalGraphics: Sendable, CaseIterable {
    /// Block characters.
    case characters
    /// The graphics of DEC's terminals.
    case sixel
    /// The protocol of kitty.
    case kitty
    /// The protocol of iTerm2.
    case iTerm

    var name: String {
        switch self {
        case .characters: "characters"
        case .sixel: "sixel"
        case .kitty: "kitty"
        case .iTerm: "iterm"
        }
    }

    /// The names of all, for a sentence.
    static var names: String { allCases.map(\.name).inWords("or") }
}

extension OptionValue where Value == TerminalGraphics {
    /// One of the ways to draw, by its name.
    static var terminalGraphics: Self {
        let words = TerminalGraphics.allCases.map(\.name)
        return Self(placeholder: "NAME", expectation: TerminalGraphics.names, completion: .words(words)) { name in
            TerminalGraphics.allCases.first { $0.name == name.lowercased() }
        }
    }
}

extension OptionValue where Value == ContentFit {
    /// One of CSS's words, with a short name in the help.
    static var placeFit: Self {
        Self(placeholder: "WAY", expectation: fit.expectation, completion: fit.completion, parse: fit.parse)
    }
}

/// The colours of a terminal's characters.
enum TerminalColors: String, Sendable, CaseIterable {
    case none, eight = "8", sixteen = "16", twoHundredFiftySix = "256", all

    var count: UInt32 {
        switch self {
        case .none: 0
        case .eight: 8
        case .sixteen: 16
        case .twoHundredFiftySix: 256
        case .all: 1 << 24
        }
    }

    /// The names of all, for a sentence.
    static var names: String { allCases.map(\.rawValue).inWords("or") }
}

extension OptionValue where Value == TerminalColors {
    /// A number of colours.
    static var terminalColors: Self {
        let words = TerminalColors.allCases.map(\.rawValue)
        return Self(placeholder: "N", expectation: TerminalColors.names, completion: .words(words)) {
            TerminalColors(rawValue: $0.lowercased())
        }
    }
}
