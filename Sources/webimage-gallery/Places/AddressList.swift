import FoundationEssentials

/// A list of addresses: one on each line, or a JSON array.
nonisolated struct AddressList: Sendable {
    private(set) var urls: [URL] = []
    /// Lines that are not addresses, or not such as the list may name.
    private(set) var refused: [String] = []

    /// Reads a list.
    ///
    /// - Parameter place: Where the list is. Relative addresses begin there.
    init(_ data: Data, at place: URL) throws(SourceProblem) {
        for line in try Self.lines(of: data, at: place) where !line.isEmpty && !line.hasPrefix("#") {
            if let url = Self.url(line, in: place) { urls.append(url) } else { refused.append(line) }
        }
        guard !urls.isEmpty else {
            throw SourceProblem(
                message: "\(place.title): no addresses in it; give one on each line, or a JSON array")
        }
    }

    /// A list in a file has paths, as a person would type them, or addresses; every other one has addresses.
    private static func url(_ line: String, in list: URL) -> URL? {
        guard list.isFileURL else { return .named(line, from: list, in: list) }
        return PictureSource(line, in: list.deletingLastPathComponent().path(percentEncoded: false))?.url
    }

    private static func lines(of data: Data, at place: URL) throws(SourceProblem) -> [String] {
        guard let text = String(validating: data, as: UTF8.self)?.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" })
        else {
            // Any bytes would be relative addresses.
            throw SourceProblem(
                message: "\(place.title): this is neither a picture that can be shown nor text in UTF-8")
        }
        guard text.hasPrefix("[") || text.hasPrefix("{") else {
            return text.split(whereSeparator: \.isNewline).map(\.trimmed)
        }
        guard let lines = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) else {
            throw SourceProblem(message: "\(place.title): this JSON is not an array of addresses")
        }
        return lines.map(\.trimmed)
    }
}
