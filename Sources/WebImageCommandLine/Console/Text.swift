import WebImage

extension String {
    /// The text in one line that is safe on a terminal: addresses and file names are untrusted, and their control
    /// characters must not reach it.
    package var printable: String { abbreviated(to: 200).withoutControls }

    /// The text in lines of at most `width` columns, broken at spaces; a word longer than a line is not broken.
    package func wrapped(to width: Int) -> [String] {
        split(separator: " ", omittingEmptySubsequences: false).reduce(into: []) { lines, word in
            let wordWidth = String(word).columnCount
            if let line = lines.last, line.columnCount + 1 + wordWidth <= width || wordWidth > width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }

    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columnCount))
    }

    package func paddedLeft(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - columnCount)) + self
    }

    /// The width of the text on a terminal, in columns. Counts every scalar from Hangul on as wide: too large is safe,
    /// because a line must not wrap.
    package var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

    /// The text cut in the middle to at most `width` columns.
    package func fitted(to width: Int) -> String {
        guard columnCount > width else { return self }
        guard width > 1 else { return width == 1 ? "…" : "" }
        let head = unicodeScalars.prefix(fitting: (width - 1) / 2)
        let tail = unicodeScalars.reversed().prefix(fitting: width - 1 - (width - 1) / 2).reversed()
        return head.map { String($0) }.joined() + "…" + tail.map { String($0) }.joined()
    }

    package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension Unicode.Scalar {
    fileprivate var columnCount: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return value < 0x1100 || self == "…" || (0x2000..<0x2E80).contains(value) ? 1 : 2
        }
    }
}

extension Sequence<Unicode.Scalar> {
    /// The longest prefix of scalars that fits into `width` columns.
    fileprivate func prefix(fitting width: Int) -> [Unicode.Scalar] {
        var rest = width
        return prefix { scalar in
            rest -= scalar.columnCount
            return rest >= 0
        }
    }
}

extension [String] {
    /// `a, b and c`.
    ///
    /// - Parameter conjunction: The word before the last element.
    package func inWords(_ conjunction: String = "and") -> String {
        guard count > 1, let last else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}

/// Numbers for people.
package enum Quantity {
    /// `812 B`, `20.5 kB`, `1.2 MB`: powers of 1,000, as the SI has them.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var value = Double(count) / 1000
        var units = ["kB", "MB", "GB", "TB"][...]
        while value >= 999.95, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        return "\(oneDecimal(value)) \(units.first ?? "")"
    }

    /// `812 µs`, `4.1 ms`, `123 ms`, `1.2 s`.
    package static func duration(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        if seconds < 0.9995e-3 { return "\(Int((seconds * 1e6).rounded())) µs" }
        return seconds < 0.9995 ? milliseconds(seconds * 1e3) : "\(oneDecimal(seconds)) s"
    }

    /// `0.4 ms`, `123 ms`, `12.3 s`.
    package static func milliseconds(_ value: Double) -> String {
        if value < 9.95 { return "\(oneDecimal(value)) ms" }
        return value < 9_999.5 ? "\(Int(value.rounded())) ms" : "\(oneDecimal(value / 1e3)) s"
    }

    package static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Duration {
    /// The time in milliseconds, to a hundredth: more digits would be false precision.
    package var milliseconds: Double {
        let (seconds, attoseconds) = components
        return ((Double(seconds) * 1e3 + Double(attoseconds) / 1e15) * 100).rounded() / 100
    }
}
