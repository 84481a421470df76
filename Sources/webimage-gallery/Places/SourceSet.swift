/// The addresses in a `srcset`.
nonisolated enum SourceSet {
    /// The address of the largest picture; nil without one. A picture within its address stands in for another one.
    static func largest(_ text: String) -> String? {
        var best: (address: Substring, size: Double)?
        var rest = text[...]
        while let candidate = next(&rest) {
            guard !candidate.address.lowercased().hasPrefix("data:") else { continue }
            if best.map({ candidate.size > $0.size }) ?? true { best = candidate }
        }
        return best.map { String($0.address) }
    }

    /// The next address, with its width or density; addresses may have commas within.
    private static func next(_ rest: inout Substring) -> (address: Substring, size: Double)? {
        rest = rest.drop { $0.isWhitespace || $0 == "," }
        guard !rest.isEmpty else { return nil }
        var address = rest.prefix { !$0.isWhitespace }
        rest = rest[address.endIndex...]
        var size = 1.0
        if address.last == "," {
            while address.last == "," { address.removeLast() }
        } else {
            let descriptor = rest.prefix { $0 != "," }
            rest = rest[descriptor.endIndex...]
            let word = descriptor.split(whereSeparator: \.isWhitespace).first { "wx".contains($0.last ?? " ") }
            size = word.flatMap { Double($0.dropLast()) } ?? 1
        }
        return (address, size)
    }
}
