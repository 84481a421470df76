/// A picture file format, detected from the first bytes of a file, not from its name.
///
/// The numbers are SDWebImage's (`SDImageFormat`); formats without a number there start at 100. Apps may add their own.
public struct ImageFormat: RawRepresentable, Sendable, Hashable {
    /// SDWebImage's number for the format.
    public let rawValue: Int

    /// A format by number: apps use numbers from 1000.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Not a format that this library knows.
    public static let undefined = ImageFormat(rawValue: -1)
    /// JPEG (ISO/IEC 10918-1).
    public static let jpeg = ImageFormat(rawValue: 0)
    /// PNG and APNG.
    public static let png = ImageFormat(rawValue: 1)
    /// GIF 87a and 89a.
    public static let gif = ImageFormat(rawValue: 2)
    /// TIFF and BigTIFF.
    public static let tiff = ImageFormat(rawValue: 3)
    /// WebP, lossy, lossless or animated.
    public static let webP = ImageFormat(rawValue: 4)
    /// HEIF with HEVC pictures.
    public static let heic = ImageFormat(rawValue: 5)
    /// HEIF with any other pictures.
    public static let heif = ImageFormat(rawValue: 6)
    /// PDF.
    public static let pdf = ImageFormat(rawValue: 7)
    /// SVG.
    public static let svg = ImageFormat(rawValue: 8)
    /// BMP.
    public static let bmp = ImageFormat(rawValue: 9)
    /// A camera's raw sensor data, in the maker's own format. The bytes are mostly those of a TIFF, so only a name or a
    /// hint identifies it; no coder of this library decodes it.
    public static let raw = ImageFormat(rawValue: 10)
    /// AVIF.
    public static let avif = ImageFormat(rawValue: 100)
    /// JPEG XL, bare codestream or container.
    public static let jpegXL = ImageFormat(rawValue: 101)
    /// Windows icon or cursor.
    public static let ico = ImageFormat(rawValue: 102)
    /// PAM, netpbm's plain pixels; write only.
    public static let pam = ImageFormat(rawValue: 103)
    /// WebM, and Matroska files with other videos.
    public static let webM = ImageFormat(rawValue: 104)
    /// MP4 (ISO/IEC 14496-14), QuickTime and 3GPP with a video.
    public static let mp4 = ImageFormat(rawValue: 105)
}

extension ImageFormat: CustomStringConvertible {
    private struct Facts {
        let name: String
        let fileExtension: String
        let mimeType: String
        var traits: Traits = []
    }

    /// The contents that files of a format can have, as the coders write them.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Animations.
        package static let moving = Traits(rawValue: 1)
        /// Pages.
        package static let paged = Traits(rawValue: 2)
        /// A quality to choose.
        package static let lossy = Traits(rawValue: 4)
        /// 16 bits a channel.
        package static let deep = Traits(rawValue: 8)
        /// High dynamic range, and colours outside of sRGB.
        package static let wide = Traits(rawValue: 16)
    }

    /// The formats with `traits`.
    package static func all(_ traits: Traits) -> Set<ImageFormat> {
        Set(facts.filter { $0.value.traits.isSuperset(of: traits) }.keys)
    }

    /// The formats with a name.
    static var known: [ImageFormat] { Array(facts.keys) }

    private static let facts: [ImageFormat: Facts] = [
        .jpeg: Facts(name: "JPEG", fileExtension: "jpg", mimeType: "image/jpeg", traits: [.lossy]),
        .png: Facts(name: "PNG", fileExtension: "png", mimeType: "image/png", traits: [.moving, .deep, .wide]),
        .gif: Facts(name: "GIF", fileExtension: "gif", mimeType: "image/gif", traits: [.moving]),
        .tiff: Facts(name: "TIFF", fileExtension: "tiff", mimeType: "image/tiff", traits: [.paged, .deep]),
        .webP: Facts(name: "WebP", fileExtension: "webp", mimeType: "image/webp", traits: [.moving, .lossy]),
        .heic: Facts(name: "HEIC", fileExtension: "heic", mimeType: "image/heic", traits: [.lossy]),
        .heif: Facts(name: "HEIF", fileExtension: "heif", mimeType: "image/heif"),
        .pdf: Facts(name: "PDF", fileExtension: "pdf", mimeType: "application/pdf", traits: [.paged]),
        .svg: Facts(name: "SVG", fileExtension: "svg", mimeType: "image/svg+xml"),
        .bmp: Facts(name: "BMP", fileExtension: "bmp", mimeType: "image/bmp"),
        .raw: Facts(name: "RAW", fileExtension: "raw", mimeType: "image/x-dcraw"),
        .avif: Facts(
            name: "AVIF", fileExtension: "avif", mimeType: "image/avif", traits: [.moving, .lossy, .deep, .wide]),
        .jpegXL: Facts(
            name: "JPEG XL", fileExtension: "jxl", mimeType: "image/jxl", traits: [.moving, .lossy, .deep, .wide]),
        .ico: Facts(name: "ICO", fileExtension: "ico", mimeType: "image/vnd.microsoft.icon"),
        .pam: Facts(name: "PAM", fileExtension: "pam", mimeType: "image/x-portable-arbitrarymap", traits: [.deep]),
        .webM: Facts(name: "WebM", fileExtension: "webm", mimeType: "video/webm"),
        .mp4: Facts(name: "MP4", fileExtension: "mp4", mimeType: "video/mp4"),
    ]

    /// The usual name: `JPEG`, `WebP`; `undefined` for an unknown format.
    public var description: String {
        Self.facts[self]?.name ?? (self == .undefined ? "undefined" : "format \(rawValue)")
    }

    /// The usual file name extension, without a dot; nil for formats that this library does not know.
    public var fileExtension: String? { Self.facts[self]?.fileExtension }

    /// The registered media type; nil for formats that this library does not know.
    public var mimeType: String? { Self.facts[self]?.mimeType }

    /// The usual format of files with an extension; nil for an unknown one.
    ///
    /// - Parameter fileExtension: Without a dot, in any case.
    public init?(fileExtension: String) {
        let name = fileExtension.lowercased()
        let format = Self.facts.first { $0.value.fileExtension == name }?.key ?? Self.otherExtensions[name]
        guard let format else { return nil }
        self = format
    }

    /// The format of a media type, in the spellings of servers; nil for an unknown one.
    ///
    /// - Parameter mimeType: In any case, with or without parameters: `image/jpeg; charset=binary`.
    public init?(mimeType: String) {
        let type = mimeType.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        let format = Self.facts.first { $0.value.mimeType == type }?.key ?? Self.otherMIMETypes[type]
        guard let format else { return nil }
        self = format
    }

    /// Unregistered spellings of the types, and of those for animations.
    private static let otherMIMETypes: [String: ImageFormat] = [
        "image/jpg": .jpeg, "image/pjpeg": .jpeg, "image/apng": .png, "image/x-png": .png,
        "image/vnd.mozilla.apng": .png, "image/tif": .tiff, "image/x-tiff": .tiff, "image/x-webp": .webP,
        "image/heic-sequence": .heic, "image/heif-sequence": .heif, "image/avif-sequence": .avif,
        "application/x-pdf": .pdf, "image/svg": .svg, "image/x-bmp": .bmp, "image/x-ms-bmp": .bmp,
        "image/x-icon": .ico, "image/ico": .ico, "image/x-adobe-dng": .raw, "video/x-matroska": .webM,
        "video/x-m4v": .mp4, "video/quicktime": .mp4, "video/3gpp": .mp4, "video/3gpp2": .mp4,
    ]

    private static let otherExtensions: [String: ImageFormat] = [
        "mkv": .webM, "m4v": .mp4, "mov": .mp4, "qt": .mp4, "3gp": .mp4, "3g2": .mp4, "3gpp": .mp4,
        "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "apng": .png, "tif": .tiff, "heics": .heic, "heifs": .heif,
        "hif": .heif, "avifs": .avif, "svgz": .svg, "dib": .bmp, "cur": .ico, "nef": .raw, "nrw": .raw, "cr2": .raw,
        "cr3": .raw, "crw": .raw,
        "arw": .raw, "srf": .raw, "sr2": .raw, "dng": .raw, "orf": .raw, "rw2": .raw, "raf": .raw, "pef": .raw,
        "srw": .raw, "3fr": .raw, "iiq": .raw,
    ]
}
