import FoundationEssentials

extension URL {
    /// Whether the scheme is one of `names`, which are in lower case; the URL may have it in any (RFC 3986 §3.1).
    package func hasScheme(_ names: String...) -> Bool {
        guard let scheme else { return false }
        return names.contains(scheme) || names.contains(scheme.lowercased())
    }
}
