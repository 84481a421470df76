import WebImage
import WebImageCore

/// Reads an answer as a cache of many clients does: `s-maxage` comes before `max-age` (RFC 9111 §5.2.2.10), and an answer that says
/// nothing of its age has that of the settings.
struct SharedCacheFields: DownloadResponseModifier, Hashable {
    /// Seconds.
    let defaultAge: Int

    func modify(_ response: HTTPResponse) -> HTTPResponse? {
        var response = response
        var directives = (response.headers["cache-control"] ?? "").split(separator: ",").map(\.trimmed).filter {
            !$0.isEmpty
        }
        if let shared = directives.last(where: { $0.lowercased().hasPrefix("s-maxage=") }) {
            directives.removeAll { $0.lowercased().hasPrefix("max-age") || $0.lowercased().hasPrefix("s-maxage") }
            directives.append("max-age=\(shared.dropFirst("s-maxage=".count))")
        }
        // RFC 9111 §5.4.
        if directives.isEmpty, response.headers["pragma"]?.lowercased().contains("no-cache") == true {
            directives = ["no-cache"]
        }
        let saysNothing =
            response.headers["expires"] == nil && response.headers["last-modified"] == nil
            && !directives.contains { directive in Self.telling.contains { directive.lowercased().hasPrefix($0) } }
        if saysNothing { directives.append("max-age=\(defaultAge)") }
        guard !directives.isEmpty else { return response }
        response.headers["cache-control"] = directives.joined(separator: ", ")
        return response
    }

    private static let telling = ["max-age", "no-cache", "no-store", "must-revalidate"]
}
