/// Where an address leads. librsvg loads nothing but `data:` URLs, and those from wherever it takes an address: pictures, and
/// also elements, style sheets and whole documents, which nobody has looked at.
enum SVGAddress {
    case data
    /// Within the document, or where nothing is loaded from.
    case elsewhere
    /// An escape or an entity stands in its scheme.
    case hidden

    private static let scheme = Array("data".utf8)

    /// - Parameter bytes: As they stand in the document; white space in them counts for nothing, as in URLs.
    init(_ bytes: some Sequence<UInt8>) {
        var read: [UInt8] = []
        for byte in bytes where byte > 0x20 {
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "\\"):
                self = .hidden
                return
            case UInt8(ascii: ":"):
                self = read == Self.scheme ? .data : .elsewhere
                return
            default: read.append(byte | 0x20)
            }
            guard read.count <= Self.scheme.count, read.first != UInt8(ascii: "#") | 0x20 else { break }
        }
        self = .elsewhere
    }
}
