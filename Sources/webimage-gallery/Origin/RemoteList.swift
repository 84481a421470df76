import FoundationEssentials
import WebImage

/// A list of addresses on a server: one on each line, or a JSON array.
struct RemoteList {
    let address: String

    /// The contents of a list.
    nonisolated struct Contents: Sendable {
        var urls: [URL] = []
        /// Lines that are not addresses, or not such as the list may name.
        var refused: [String] = []
    }

    /// Loads the list.
    func load(by loader: any ImageLoader = ImageLoadersManager.shared) async throws(SourceProblem) -> Contents {
        guard let url = Self.url(address) else {
            throw SourceProblem(message: "--origin \(address): give an http, https or file URL")
        }
        switch try await WebDocument.read(url, by: loader).get() {
        case .picture: throw Self.noAddresses(url)
        case .document(let data, let place): return try Self.parse(data, from: place).get()
        }
    }

    private nonisolated static func noAddresses(_ url: URL) -> SourceProblem {
        let advice = "no addresses in it; give one on each line, or a JSON array"
        return SourceProblem(message: "\(url.title): \(advice)")
    }

    private static func url(_ address: String) -> URL? {
        if let url = URL(string: address), url.scheme != nil { return url }
        return FileManager.default.fileExists(atPath: address) ? URL(filePath: address) : nil
    }

    /// Relative addresses are resolved against the list's URL.
    nonisolated static func parse(_ data: Data, from base: URL) -> Result<Contents, SourceProblem> {
        guard let lines = lines(of: data) else {
            return .failure(SourceProblem(message: "\(base.title): this JSON is not an array of addresses"))
        }
        var contents = Contents()
        for line in lines where !line.isEmpty && !line.hasPrefix("#") {
            if let url = URL.named(line, from: base, in: base) {
                contents.urls.append(url)
            } else {
                contents.refused.append(line)
            }
        }
        return contents.urls.isEmpty ? .failure(noAddresses(base)) : .success(contents)
    }

    /// nil for JSON of another kind. Data that is neither JSON nor text has no lines, because any bytes, even a
    /// picture's, would be valid relative addresses.
    private nonisolated static func lines(of data: Data) -> [String]? {
        guard let text = String(validating: data, as: UTF8.self)?.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" })
        else { return [] }
        guard text.hasPrefix("[") || text.hasPrefix("{") else {
            return text.split(whereSeparator: \.isNewline).map(\.trimmed)
        }
        return (try? JSONDecoder().decode([String].self, from: Data(text.utf8)))?.map(\.trimmed)
    }
}
