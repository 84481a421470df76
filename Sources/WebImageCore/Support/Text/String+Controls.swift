extension String {
    /// The text in one line that is safe on a terminal, with a mark in place of each control character: servers and names of
    /// files send them. All that the library tells, and all that the programs print, passes here or through
    /// ``linesWithoutControls``.
    package var withoutControls: String { replacingControls { _ in false } }

    /// The same of a text in several lines, with its tabs.
    package var linesWithoutControls: String { replacingControls { $0 == "\n" || $0 == "\t" } }

    private func replacingControls(keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: { $0.isControl && !isKept($0) }) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars { text.append(scalar.isControl && !isKept(scalar) ? "\u{FFFD}" : scalar) }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Control and format characters: those that move the cursor, and those that change the text direction.
    package var isControl: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return false
        }
    }
}
