import FoundationEssentials
import WebImageCore

/// The address of a picture: a `URL`, or a `String` as a person types it, a web address or the path of a file.
public protocol ImageAddress: Sendable {
    /// The URL of the picture. A text with a scheme is a URL, one that starts with `/`, `./`, `../` or `~/` the path of a
    /// file, and any other one an error: `example.com/a.jpg` may be either.
    ///
    /// - Throws: ``WebImageError/Code/invalidURL``, with the reason.
    var imageURL: URL { get throws(WebImageError) }
}

extension URL: ImageAddress {
    /// The URL itself.
    public var imageURL: URL { self }
}

extension String: ImageAddress {
    /// The URL of the address or path that the text is.
    public var imageURL: URL {
        get throws(WebImageError) { try URL(imageAddress: self) }
    }
}
