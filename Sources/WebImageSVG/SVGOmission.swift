/// A picture in a `data:` URL that is not drawn: librsvg would ask gdk-pixbuf for any loader that the system has.
struct SVGOmission {
    /// The media type in the URL, for the warning.
    let mediaType: String

    private static let longestType = 40

    /// From an untrusted file: only characters that are safe in a log, and no more of them than a media type has.
    init(_ url: SVGDataURL) {
        let type = url.mediaType.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "/+-.".contains($0)) }
        mediaType = type.isEmpty ? "no media type" : String(type.prefix(Self.longestType))
    }
}
