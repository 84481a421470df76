import Foundation

/// The numbers of the behaviours that `Docs/Parity.md` must have, and that tests may carry.
enum ParityRows {
    private static let parts: KeyValuePairs = [
        "PIPE": 1...14, "OPT": 0...25, "CTX": 1...28, "MGR": 1...10, "OPR": 1...1, "GLB": 1...1, "CBQ": 1...3,
        "CAC": 1...21, "CCF": 1...16, "MEM": 1...6, "DSK": 1...11, "CUS": 1...3, "CM": 1...4,
        "LD": 1...4, "DL": 1...33,
        "COD": 1...7, "DOP": 1...10, "THB": 1...8, "EOP": 1...7, "BCO": 1...15, "HLP": 1...14, "FMT": 1...3,
        "MET": 1...11, "TRF": 1...9, "IMG": 1...3, "PRE": 1...8,
        "VIEW": 1...17, "TRN": 1...10, "IND": 1...5,
        "ANI": 1...8, "PLY": 1...10, "FPL": 1...4, "AIV": 1...16, "MW": 1...47, "UTL": 1...10,
        "S0": 1...27, "S1": 1...17, "S2": 1...21, "S3": 1...44, "S4": 1...30,
    ]
    /// Regressions, faults and traps have no dash.
    private static let histories: KeyValuePairs = ["A": 1...100, "B": 1...50, "C": 1...15]

    static let all: [String] =
        parts.flatMap { part, numbers in numbers.map { "\(part)-\($0)" } }
        + histories.flatMap { history, numbers in numbers.map { "\(history)\($0)" } } + ["A75b"]

    private static let known = Set(all)

    static func contains(_ row: String) -> Bool { known.contains(row) }

    /// Whether `word` has the form of a row number, existing or not.
    static func isWrittenLikeARow(_ word: String) -> Bool {
        let isPart = parts.contains { part, _ in
            word.hasPrefix("\(part)-") && word.dropFirst(part.count + 1).first?.isNumber == true
        }
        return isPart || word.wholeMatch(of: /[ABC][0-9]+[a-z]?/) != nil
    }

    /// The row numbers at the beginning of `text`; numbers of SDWebImage's own tests (`T4.15`) may stand among them.
    static func leading(_ text: Substring) -> [String] {
        text.split { " ,:".contains($0) }.map(String.init)
            .prefix { isWrittenLikeARow($0) || $0.wholeMatch(of: /T4\.[0-9]+/) != nil }
            .filter(isWrittenLikeARow)
    }
}
