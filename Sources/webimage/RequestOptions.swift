import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The options of a transfer that all commands share.
struct RequestOptions: Sendable {
    /// In seconds; nil for the library's.
    var timeout: Double?
    var headers: [HeaderField] = []

    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .value(
                "timeout", .seconds, property.appending(path: \.timeout),
                help: "seconds without any byte until a load fails; 15 by default"),
            .values(
                "header", .headerField, property.appending(path: \.headers),
                help: "a field of HTTP requests, such as 'Referer: https://example.org/'; as often\nas needed"),
        ]
    }

    func request(for url: URL) -> ImageLoadRequest {
        ImageLoadRequest(url: url, headers: headers.byName, timeout: timeout)
    }
}
