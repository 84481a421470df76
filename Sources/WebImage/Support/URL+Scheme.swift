import FoundationEssentials

extension URL {
    /// Whether the scheme is one of `names`, which are in lower case; the URL may have it in any (RFC 3986 §3.1).
    package func hasScheme(_ names: String...) -> Bool {
        guard let scheme else { return false }
        return names.contains { scheme.hasSameLetters(asLowercase: $0) }
    }
}

extension String {
    /// Without a lowercase copy: every load asks.
    fileprivate func hasSameLetters(asLowercase name: String) -> Bool {
        utf8.count == name.utf8.count
            && zip(utf8, name.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && (0x61...0x7a).contains($1) }
    }
}
