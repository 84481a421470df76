import FoundationEssentials
import WebImageCoders
import WebImageCore

/// Files that are valid, and of which libheif 1.15 says that they are damaged or end too early.
enum HEIFKind {
    /// The kinds of pictures that libheif reads with any of its plugins, and for whose damage its word is taken.
    private static let readable: Set<FourCharacterCode> = ["hvc1", "av01", "grid", "iovl"]

    /// - Throws: ``WebImageError/Code/badImageData`` for a file whose pictures are all in a track, or in the short form of
    ///   ISO/IEC 23008-12:2025.
    static func requireItems(in data: Data, _ format: ImageFormat) throws(WebImageError) {
        let kinds = MediaBox.readable(ByteReader(data, format: format)).map(\.type)
        guard !kinds.contains("meta") else { return }
        if kinds.contains("moov") { throw .unsupported(format, "it is a sequence without a still picture") }
        if kinds.contains("mini") { throw .unsupported(format, "its description is in a box of the type mini") }
    }

    /// The result of libheif for a picture; for a kind of picture that is not read, such as one that is derived as it
    /// is from another or is stored without compression, its error says so.
    static func withErrors<Result>(
        of properties: ItemPropertyReader, _ format: ImageFormat, _ read: () throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        do throws(WebImageError) {
            return try read()
        } catch {
            guard error.code == .badImageData, let kind = try? properties.kindOfPrimaryItem(),
                !readable.contains(kind)
            else { throw error }
            throw .unsupported(format, "its picture is an item of the type \(kind.text)")
        }
    }
}

extension FourCharacterCode {
    fileprivate var text: String {
        withUnsafeBytes(of: rawValue.bigEndian) { String(decoding: $0, as: UTF8.self) }
    }
}
