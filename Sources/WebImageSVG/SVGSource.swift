import FoundationEssentials
import WebImageCore

/// A document as librsvg gets it.
struct SVGSource {
    private let revision: SVGRevision

    /// The pictures that are left out.
    var omissions: [SVGOmission] { revision.omissions }

    init(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) {
        revision = SVGRevision(of: try SVGFile.text(of: data, limits: options.limits))
        try options.checkCancellation()
    }

    /// Parses the document.
    func withDocument<Result>(
        _ body: (borrowing SVGDocument) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        try revision.bytes.span.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            try body(try document(bytes))
        }
    }

    private func document(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) -> SVGDocument {
        do throws(WebImageError) {
            return try SVGDocument(bytes, hasFontSize: revision.hasFontSize)
        } catch {
            throw hasEnd ? error : .truncated(.svg)
        }
    }

    /// Whether the end tag is there, white space and comments behind it left out of account.
    private var hasEnd: Bool { revision.bytes.suffix(Self.longestTail).firstRange(of: "svg>".utf8) != nil }

    private static let longestTail = 1024
}
