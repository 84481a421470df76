import FoundationEssentials

extension URL {
    /// The URL as text for people: without its password, and shortened in the middle when it is too long for a line, as
    /// some `data:` URLs of megabytes are.
    package var abbreviated: String { (withoutPassword ?? self).absoluteString.abbreviated(to: 200) }

    private var withoutPassword: URL? {
        // Only a URL with a user has a password, and few have either: the others are not parsed.
        guard absoluteString.utf8.prefix(2000).contains(UInt8(ascii: "@")), password() != nil,
            var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        else { return nil }
        components.password = "***"
        return components.url
    }
}

extension String {
    /// At most `limit` characters, the middle replaced by an ellipsis.
    package func abbreviated(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        return "\(prefix(limit / 2))…\(suffix(limit / 2 - 1))"
    }
}
