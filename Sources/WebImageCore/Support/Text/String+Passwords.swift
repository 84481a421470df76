extension String {
    /// A text for people, with `***` for each password of a URL: `https://ada:***@host/a.jpg`. Everything that the library
    /// tells passes here. Other secrets stay, such as a token in a query.
    package var withoutPasswords: String { replacingPasswords(.prose) { _, _ in "***" } }

    /// The same of a text that is one address as a person has written it.
    package var addressWithoutPassword: String { replacingPasswords(.address) { _, _ in "***" } }

    /// A text that names something in a cache, with a digest for the password of its URL.
    package var withPasswordDigest: String { replacingPasswords(.name) { PasswordDigest.text(of: $0, in: $1) } }

    private func replacingPasswords(
        _ kind: PasswordSearch.Kind, by replacement: (Range<Int>, UnsafeRawBufferPointer) -> String
    ) -> String {
        let replaced = withUTF8Bytes { text -> [UInt8]? in
            let ranges = PasswordSearch(text: text, kind: kind).ranges
            guard !ranges.isEmpty else { return nil }
            var (bytes, position): ([UInt8], Int) = ([], 0)
            for range in ranges {
                bytes += text[position..<range.lowerBound]
                bytes += replacement(range, text).utf8
                position = range.upperBound
            }
            return bytes + text[position...]
        }
        return replaced.map { String(decoding: $0, as: UTF8.self) } ?? self
    }
}
