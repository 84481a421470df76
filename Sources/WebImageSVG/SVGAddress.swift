/// The target of an address. librsvg loads only `data:` URLs, but from every attribute with an address: besides
/// pictures also elements, style sheets and whole documents, which were not checked.
enum SVGAddress {
    case data
    /// Within the document, or not loaded.
    case elsewhere
    /// Its scheme contains an escape or an entity.
    case hidden

    private static let scheme = Array("data".utf8)

    /// - Parameter bytes: The address as in the document; white space is ignored, as in URLs.
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
