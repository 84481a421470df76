import Foundation

/// The last column of a row of `Docs/Parity.md`: the state of the behaviour, and its proof.
struct ParityState {
    enum Kind: String, CaseIterable {
        case test
        case inPart = "in part"
        case differs
        case notYet = "not yet"
        case notHere = "not here"
    }

    /// The tests that a row refers to; by default those with the row's own numbers.
    struct Proof {
        var rows: [String] = []
        var names: [String] = []
        var isOwn: Bool { rows.isEmpty && names.isEmpty }
    }

    /// An invalid line, and how to write it.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    /// The parts of the library for missing behaviours.
    static let stations = [
        "manager", "caches", "loaders", "coders", "transformers", "prefetcher", "views", "transitions", "indicators",
        "player", "photo browser", "platform",
    ]

    let kind: Kind
    /// The missing part, the difference, the station, or the reason; empty for a test.
    let detail: String
    /// nil for a behaviour without a test.
    let proof: Proof?

    init(_ text: String) throws(Mistake) {
        if text == "test" || text.hasPrefix("test ") {
            (kind, detail, proof) = (.test, "", try Proof(text.dropFirst(4)))
            return
        }
        guard let kind = Kind.allCases.first(where: { text.hasPrefix("\($0.rawValue): ") }), kind != .test else {
            let words = Kind.allCases.dropFirst().map { "`\($0.rawValue): …`" }.joined(separator: ", ")
            throw Mistake(description: "\"\(text)\" is no state; write `test` or one of \(words)")
        }
        self.kind = kind
        let rest = text.dropFirst(kind.rawValue.count + 2)
        (detail, proof) = try Self.divide(rest)
        try check()
    }

    private static func divide(_ text: Substring) throws(Mistake) -> (detail: String, proof: Proof?) {
        guard let mark = text.range(of: "; test", options: .backwards) else { return (String(text), nil) }
        return (String(text[..<mark.lowerBound]), try Proof(text[mark.upperBound...]))
    }

    private func check() throws(Mistake) {
        switch kind {
        case .notYet where proof != nil || !Self.stations.contains(detail):
            throw Mistake(
                description: "\"not yet: \(detail)\" must name one station and nothing else: "
                    + Self.stations.joined(separator: ", "))
        case .notHere where proof != nil:
            throw Mistake(description: "what is not here has no test; write `differs: …; test`")
        case .inPart where proof == nil:
            throw Mistake(
                description: "\"in part: \(detail)\" claims a part without a test; add `; test` or `not yet: …`")
        default: break
        }
    }
}

extension ParityState.Proof {
    /// Reads ` A25, "the beginning of a name"`, or nothing.
    fileprivate init(_ text: Substring) throws(ParityState.Mistake) {
        let pattern = /(?:"(?<name>[^"]+)"|(?<row>[A-Z][A-Za-z0-9-]+))(?:, |$)/
        var rest = text.drop { $0 == " " }
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: pattern) else {
                throw ParityState.Mistake(
                    description:
                        "\"\(rest)\" names no test; after `test` come row numbers and \"beginnings of names\", "
                        + "with a comma and a space between them")
            }
            if let name = match.output.name { names.append(String(name)) }
            if let row = match.output.row { rows.append(String(row)) }
            rest = rest[match.range.upperBound...]
        }
    }
}
