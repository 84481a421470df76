/// A host's wish to be asked by https only: the value of a `Strict-Transport-Security` field (RFC 6797 §6.1).
struct TransportSecurityPolicy: Equatable {
    /// Seconds for which it holds; 0 takes an earlier wish back.
    private(set) var maxAge = 0
    private(set) var includesSubdomains = false

    /// nil for a value that breaks the grammar: such a field counts as a whole or not at all. Of several fields the first
    /// counts (§8.1).
    init?(_ field: String) {
        var fields = Substring(field).utf8
        guard var rest = fields.takePart(before: UInt8(ascii: ",")) else { return nil }
        var names: Set<String> = []
        while let directive = rest.takePart(before: UInt8(ascii: ";")) {
            guard !directive.isEmpty else { continue }
            guard let name = apply(directive), names.insert(name).inserted else { return nil }
        }
        guard names.contains("max-age") else { return nil }
    }

    /// The name of the directive, in lower case; nil where it breaks the grammar.
    private mutating func apply(_ directive: Substring.UTF8View) -> String? {
        let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = Substring(parts[0].trimmingBlanks).lowercased()
        let value = parts.dropFirst().first?.trimmingBlanks.unquoted
        switch name {
        case "max-age":
            guard let seconds = value.flatMap({ DeltaSeconds($0)?.value }) else { return nil }
            maxAge = seconds
        case "includesubdomains":
            guard value == nil else { return nil }
            includesSubdomains = true
        default: break
        }
        return name.isToken ? name : nil
    }
}
