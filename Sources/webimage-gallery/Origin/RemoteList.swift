import FoundationEssentials
import WebImage

/// A list of addresses on a server: one on each line, or a JSON array.
struct RemoteList {
    let address: String

    /// The contents of a list.
    nonisolated struct Contents: Sendable {
        var urls: [URL] = []
        /// Lines that are not addresses.
        var refused: [String] = []
    }

    /// Why there is no list.
    struct Failure: Error {
        let message: String
    }

    /// Loads the list; the completion runs on the main queue.
    func load(completion: @escaping @Sendable (Result<Contents, Failure>) -> Void) {
        guard let url = Self.url(address) else {
            return completion(.failure(Failure(message: "--origin \(address): give an http, https or file URL")))
        }
        _ = ImageLoadersManager.shared.load(ImageLoadRequest(url: url)) { event in
            guard case .finished(let result) = event else { return }
            let contents = result.mapError { Failure(message: "\($0)") }.flatMap { Self.parse($0.data, from: url) }
            CallbackQueue.main.run { completion(contents) }
        }
    }

    private static func url(_ address: String) -> URL? {
        if let url = URL(string: address), url.scheme != nil { return url }
        return FileManager.default.fileExists(atPath: address) ? URL(filePath: address) : nil
    }

    /// Relative addresses are resolved against the list's URL.
    nonisolated static func parse(_ data: Data, from base: URL) -> Result<Contents, Failure> {
        guard let lines = lines(of: data) else {
            return .failure(Failure(message: "\(base.abbreviated): this JSON is not an array of addresses"))
        }
        var contents = Contents()
        for line in lines where !line.isEmpty && !line.hasPrefix("#") {
            if let url = pictureURL(line, from: base) {
                contents.urls.append(url)
            } else {
                contents.refused.append(line)
            }
        }
        guard !contents.urls.isEmpty else {
            let advice = "no addresses in it; give one on each line, or a JSON array"
            return .failure(Failure(message: "\(base.abbreviated): \(advice)"))
        }
        return .success(contents)
    }

    /// nil for JSON of another kind. Data that is neither JSON nor text has no lines, because any bytes, even a
    /// picture's, would be valid relative addresses.
    private nonisolated static func lines(of data: Data) -> [String]? {
        guard let text = String(validating: data, as: UTF8.self)?.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" })
        else { return [] }
        guard text.hasPrefix("[") || text.hasPrefix("{") else {
            return text.split(whereSeparator: \.isNewline).map(trimmed)
        }
        return (try? JSONDecoder().decode([String].self, from: Data(text.utf8)))?.map { trimmed($0[...]) }
    }

    private nonisolated static func trimmed(_ line: Substring) -> String {
        let start = line.drop(while: \.isWhitespace)
        return String(
            start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.endIndex))
    }

    private nonisolated static func pictureURL(_ line: String, from base: URL) -> URL? {
        guard let url = URL(string: line, relativeTo: base)?.absoluteURL else { return nil }
        let needsHost = ["http", "https"].contains(url.scheme?.lowercased())
        return needsHost && url.host()?.isEmpty ?? true ? nil : url
    }
}
