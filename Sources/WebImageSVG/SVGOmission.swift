/// A `data:` URL without a known picture, or an address whose scheme is hidden. librsvg would pass it to gdk-pixbuf or its
/// XML parser, so the document is drawn without it.
struct SVGOmission {
    /// Where the address stands between its quotes: offsets into the markup.
    let range: Range<Int>
    /// What stands there instead, in ASCII.
    let replacement: String
    /// The media type in the URL, for the warning.
    let mediaType: String

    /// One transparent pixel as PNG: librsvg skips a filter primitive without a picture, but browsers draw it as
    /// transparent.
    private static let transparentPixel =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5C"
        + "YII="
    private static let longestType = 40

    /// - Parameters:
    ///   - address: What stands between the quotes.
    ///   - element: The name of the element whose address it is.
    init(_ address: Slice<UnsafeRawBufferPointer>, of element: String) {
        range = address.startIndex..<address.endIndex
        replacement = element == "feImage" ? Self.transparentPixel : ""
        mediaType = Self.mediaType(in: address)
    }

    /// From an untrusted file: only characters that are safe in a log, and no more of them than a media type has.
    private static func mediaType(in address: some Collection<UInt8>) -> String {
        let text = SVGStyle.id(SVGStyle.text(address.prefix(2 * longestType))).lowercased()
        guard text.hasPrefix("data:") else { return "a hidden address" }
        let type = text.dropFirst("data:".count).prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/+-.".contains($0))
        }
        return type.isEmpty ? "no media type" : String(type.prefix(longestType))
    }
}
