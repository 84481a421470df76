import FoundationEssentials
import WebImageCore

/// A blurred picture in about 25 bytes, by the format of Evan Wallace (https://evanw.github.io/thumbhash).
///
/// It has cosine waves of luminance, two of colour differences, and of alpha where the picture is not opaque, and it
/// knows the picture's approximate proportions.
///
/// ```swift
/// let hash = try ThumbHash(of: image.bitmap)
/// let placeholder = Image(bitmap: try hash.bitmap())
/// ```
public struct ThumbHash: Sendable, Hashable {
    /// The bytes, 13 to 25.
    public let bytes: Data

    let layout: ThumbHashLayout

    /// Reads bytes.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` for bytes that are no ThumbHash: more or fewer than the first five say,
    ///   or without proportions.
    public init(_ bytes: Data) throws(WebImageError) {
        guard let layout = ThumbHashLayout(bytes) else {
            throw .noThumbHash(
                bytes.count < ThumbHashLayout.headSize
                    ? "it has \(bytes.count) bytes, and at least 5 are needed"
                    : "it says that the picture has no width or height")
        }
        guard bytes.count == layout.byteCount else {
            throw .noThumbHash("its head needs \(layout.byteCount) bytes, and it has \(bytes.count)")
        }
        // A slice would keep the whole file that it may be a part of.
        self.bytes = Data(Array(bytes))
        self.layout = layout
    }

    /// Reads bytes as Base64, with or without the padding at the end, as servers send them in JSON.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` for a text that is not Base64, or no ThumbHash.
    public init(base64: String) throws(WebImageError) {
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: base64 + padding) else { throw .noThumbHash("it is not Base64") }
        try self.init(bytes)
    }

    /// The bytes as Base64, with padding.
    public var base64: String { bytes.base64EncodedString() }

    /// Whether the picture is not opaque.
    public var hasAlpha: Bool { layout.hasAlpha }

    /// The approximate width of the picture, divided by its height.
    public var aspectRatio: Double { Double(layout.columns) / Double(layout.rows) }
}

extension WebImageError {
    fileprivate static func noThumbHash(_ finding: String) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent, reason: "the bytes are no ThumbHash: \(finding)")
    }
}
