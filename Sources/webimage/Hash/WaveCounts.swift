import WebImageCommandLine

/// The waves of a BlurHash along both sides.
struct WaveCounts: Sendable, Equatable {
    let columns, rows: Int
}

extension OptionValue where Value == WaveCounts {
    /// Two numbers of one digit.
    static var waveCounts: Self {
        Self(placeholder: "XxY", expectation: "two numbers from 1 to 9, such as 4x3") { text in
            let counts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard counts.count == 2, text.utf8.count == 3, counts.allSatisfy((1...9).contains) else { return nil }
            return WaveCounts(columns: counts[0], rows: counts[1])
        }
    }
}
