import FoundationEssentials
import WebImageCore

/// The answers of each kind's coder about itself, for the app's side, which need not link it.
extension DecoderKind {
    /// The formats of the pictures that it decodes.
    package var formats: Set<ImageFormat> {
        switch self {
        case .jpeg: [.jpeg]
        case .png: [.png]
        case .webP: [.webP]
        case .gif: [.gif]
        case .bmp: [.bmp]
        case .ico: [.ico]
        case .tiff: [.tiff]
        case .heif: [.heic, .heif]
        case .avif: [.avif]
        case .jxl: [.jpegXL]
        case .svg: [.svg]
        case .pdf: [.pdf]
        case .video: [.webM, .mp4]
        }
    }

    /// The formats that its coder may say a file has: AV1 in a HEIF file is AVIF, also from the decoder of HEIF.
    var toldFormats: Set<ImageFormat> { self == .heif ? formats.union([.avif]) : formats }

    /// Whether it shows pictures while they arrive.
    package var isProgressive: Bool {
        switch self {
        case .jpeg, .png, .webP, .gif, .jxl: true
        case .bmp, .ico, .tiff, .heif, .avif, .svg, .pdf, .video: false
        }
    }

    /// Whether it decodes frames.
    package var isAnimated: Bool {
        switch self {
        case .png, .webP, .gif, .avif, .jxl, .video: true
        case .jpeg, .bmp, .ico, .tiff, .heif, .svg, .pdf: false
        }
    }

    /// Whether it decodes still pictures row by row.
    package var decodesRows: Bool {
        switch self {
        case .jpeg, .png, .webP, .bmp, .tiff, .heif, .avif: true
        case .gif, .ico, .jxl, .svg, .pdf, .video: false
        }
    }

    /// Whether it decodes parts of large files.
    package var hasRegions: Bool { self == .jpeg || self == .png || self == .tiff }

    /// Whether a picture of few bytes may take as long as the limits allow, and may have text.
    package var drawsDocuments: Bool { self == .svg || self == .pdf }

    /// Whether it decodes a file with this beginning.
    package func recognizes(_ data: Data) -> Bool {
        if self == .svg, data.starts(with: Self.gzipSignature) { return true }
        let head = signatureByteCount.map { data.prefix($0) } ?? data
        return formats.contains(ImageFormat(sniffing: head))
    }

    /// SVG may be compressed (RFC 1952, section 2.3.1); no other picture is.
    private static let gzipSignature: [UInt8] = [0x1F, 0x8B]

    /// The bytes that decide; nil where it takes more of the file.
    private var signatureByteCount: Int? {
        switch self {
        case .bmp: 2
        case .tiff, .ico, .pdf: 4
        case .gif: 6
        case .jpeg, .png, .webP, .heif, .avif, .jxl, .svg, .video: nil
        }
    }
}
