import FoundationEssentials
import WebImage

/// A list of addresses on somebody's server: one on each line, or a JSON array.
struct RemoteList {
    let address: String

    /// Why there is no list to show.
    struct Failure: Error {
        let message: String
    }

    /// Loads the list; the completion comes on the main queue.
    func load(completion: @escaping @Sendable (Result<[URL], Failure>) -> Void) {
        guard let url = Self.url(address) else {
            return completion(.failure(Failure(message: "--origin \(address): give an http, https or file URL")))
        }
        _ = ImageLoadersManager.shared.load(ImageLoadRequest(url: url)) { event in
            guard case .finished(let result) = event else { return }
            let urls = result.mapError { Failure(message: "\($0)") }.flatMap { Self.parse($0.data, from: url) }
            CallbackQueue.main.run { completion(urls) }
        }
    }

    private static func url(_ address: String) -> URL? {
        if let url = URL(string: address), url.scheme != nil { return url }
        return FileManager.default.fileExists(atPath: address) ? URL(filePath: address) : nil
    }

    /// Addresses that are relative start from the list's own.
    nonisolated static func parse(_ data: Data, from base: URL) -> Result<[URL], Failure> {
        let lines =
            (try? JSONDecoder().decode([String].self, from: data))
            // Anything may be read as a relative address, a picture's bytes too.
            ?? String(validating: data, as: UTF8.self)?.split(whereSeparator: \.isNewline).map(String.init) ?? []
        let urls = lines.map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
            .compactMap { URL(string: $0, relativeTo: base)?.absoluteURL }
        guard !urls.isEmpty else {
            return .failure(
                Failure(message: "\(base.absoluteString): no addresses in it; give one on each line, or a JSON array"))
        }
        return .success(urls)
    }
}
