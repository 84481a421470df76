import FoundationEssentials
import WebImageCore

/// The answers of each kind's coder about itself, for the app's side, which need not link it.
extension DecoderKind {
    private struct Abilities: OptionSet {
        let rawValue: Int

        /// Shows pictures while they arrive.
        static let progress = Abilities(rawValue: 1)
        /// Decodes frames.
        static let frames = Abilities(rawValue: 2)
        /// Decodes still pictures row by row.
        static let rows = Abilities(rawValue: 4)
        /// Decodes parts of large files.
        static let regions = Abilities(rawValue: 8)
    }

    private struct Facts {
        /// The formats of the pictures that the coder decodes.
        let formats: Set<ImageFormat>
        let abilities: Abilities
        /// The bytes that decide; nil where it takes more of the file.
        var signatureByteCount: Int?
    }

    private var facts: Facts {
        switch self {
        case .jpeg: Facts(formats: [.jpeg], abilities: [.progress, .rows, .regions])
        case .png: Facts(formats: [.png], abilities: [.progress, .frames, .rows, .regions])
        case .webP: Facts(formats: [.webP], abilities: [.progress, .frames, .rows])
        case .gif: Facts(formats: [.gif], abilities: [.progress, .frames], signatureByteCount: 6)
        case .bmp: Facts(formats: [.bmp], abilities: .rows, signatureByteCount: 2)
        case .ico: Facts(formats: [.ico], abilities: [], signatureByteCount: 4)
        case .tiff: Facts(formats: [.tiff], abilities: [.rows, .regions], signatureByteCount: 4)
        case .heif: Facts(formats: [.heic, .heif], abilities: .rows)
        case .avif: Facts(formats: [.avif], abilities: [.frames, .rows])
        case .jxl: Facts(formats: [.jpegXL], abilities: [.progress, .frames])
        case .svg: Facts(formats: [.svg], abilities: [])
        case .pdf: Facts(formats: [.pdf], abilities: [], signatureByteCount: 4)
        case .video: Facts(formats: [.webM, .mp4], abilities: .frames)
        }
    }

    /// The formats of the pictures that it decodes.
    package var formats: Set<ImageFormat> { facts.formats }

    /// The formats that its coder may say a file has: AV1 in a HEIF file is AVIF, also from the decoder of HEIF.
    var toldFormats: Set<ImageFormat> { self == .heif ? formats.union([.avif]) : formats }

    package var isProgressive: Bool { facts.abilities.contains(.progress) }
    package var isAnimated: Bool { facts.abilities.contains(.frames) }
    package var decodesRows: Bool { facts.abilities.contains(.rows) }
    package var hasRegions: Bool { facts.abilities.contains(.regions) }

    /// Whether a picture of few bytes may take as long as the limits allow, and may have text.
    package var drawsDocuments: Bool { self == .svg || self == .pdf }

    /// Whether its coder is one that the library has without a module of its own.
    var isBuiltIn: Bool { ImageFormat.builtIn.isSuperset(of: formats) }

    /// Whether its library has all pixels in memory of its own.
    package var hasPlanes: Bool { !isBuiltIn && !drawsDocuments && self != .video }

    /// Whether it decodes a file with this beginning.
    package func recognizes(_ data: Data) -> Bool {
        if self == .svg, data.starts(with: Self.gzipSignature) { return true }
        let head = facts.signatureByteCount.map { data.prefix($0) } ?? data
        return formats.contains(ImageFormat(sniffing: head))
    }

    /// SVG may be compressed (RFC 1952, section 2.3.1); no other picture is.
    private static let gzipSignature: [UInt8] = [0x1F, 0x8B]
}

extension ImageFormat {
    /// The formats that need no module of their own.
    fileprivate static let builtIn: Set<ImageFormat> = [.jpeg, .png, .webP, .gif, .bmp, .ico]
}
