import FoundationEssentials

extension URL {
    /// The URL as text, cut in the middle when it is too long for a line: some `data:` URLs are megabytes.
    package var abbreviated: String { absoluteString.abbreviated(to: 200) }
}

extension String {
    /// At most `limit` characters, the middle replaced by an ellipsis.
    package func abbreviated(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        return "\(prefix(limit / 2))…\(suffix(limit / 2 - 1))"
    }
}
