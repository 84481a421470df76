import FoundationEssentials

extension URL {
    /// The URL as text for people: without its password, and shortened in the middle when it is too long for a line, as
    /// some `data:` URLs of megabytes are.
    package var abbreviated: String {
        // The text of a URL of megabytes is not searched for a password: it may hold anything.
        let text = absoluteString
        return (text.hasScheme("data") ? text : text.addressWithoutPassword).abbreviated(to: 200).withoutControls
    }
}

extension String {
    /// At most `limit` characters, the middle replaced by an ellipsis.
    package func abbreviated(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        // Before the end of a password is cut away, by which it is known.
        let text = hasScheme("data") ? self : withoutPasswords
        return "\(text.prefix(limit / 2))…\(text.suffix(limit / 2 - 1))"
    }
}
