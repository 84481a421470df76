import CTIFF
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// A directory's description of its picture, checked and translated.
struct TIFFPicture {
    /// The way samples become colours.
    enum Colors {
        case gray(isInverted: Bool)
        case rgb
        /// Red, green, blue and 255 in memory order.
        case palette([UInt32])
        case cmyk
        /// CIE L*a*b*; in ICC's encoding a and b are unsigned.
        case lab(isICC: Bool)
        /// Converted by libtiff: subsampled YCbCr, old JPEG, logarithmic formats.
        case converted
    }

    /// Before orientation.
    let size: PixelSize
    let orientation: ImageOrientation
    let colors: Colors
    let profile: ColorProfile?
    private let header: webimage_tiff_header

    init(_ reader: borrowing TIFFReader) throws(WebImageError) {
        let header = reader.header
        self.header = header
        size = PixelSize(width: Int(header.width), height: Int(header.height))
        guard !size.isEmpty else { throw .damaged(.tiff, "its size is \(size)") }
        guard header.is_compression_known else { throw Self.unknownCompression(Int(header.compression)) }
        orientation = ImageOrientation(rawValue: Int(header.orientation)) ?? .up
        colors = try Self.colors(header)
        profile = header.profile.map { ColorProfile(bytes: Data(bytes: $0, count: Int(header.profile_byte_count))) }
        if case .converted = colors {
            try reader.checkConversion()
        } else {
            try checkSamples()
        }
    }

    var hasAlpha: Bool {
        if case .converted = colors { return header.alpha != WEBIMAGE_TIFF_NO_ALPHA }
        return hasAlphaSample
    }

    /// Whether one of a pixel's samples is alpha.
    var hasAlphaSample: Bool { header.alpha != WEBIMAGE_TIFF_NO_ALPHA && colorCount > 0 }

    /// Whether colours are premultiplied; libtiff does not change that.
    var isPremultiplied: Bool {
        if case .converted = colors { return hasAlpha }
        return header.alpha == WEBIMAGE_TIFF_ASSOCIATED_ALPHA
    }

    /// The number of colour samples.
    var colorCount: Int {
        switch colors {
        case .gray, .palette: 1
        case .rgb, .lab: 3
        case .cmyk: 4
        case .converted: 0
        }
    }

    private var isGray: Bool { if case .gray = colors { true } else { false } }
    var isCMYK: Bool { if case .cmyk = colors { true } else { false } }

    /// The depth of the unpacked pixels.
    func depth(_ options: ImageDecodeOptions) -> PixelDepth {
        switch colors {
        case .gray, .rgb: break
        case .palette, .cmyk, .lab, .converted: return .eight
        }
        return options.depth(
            bitsPerChannel: Int(header.bits_per_sample), needsDepth: options.convertsToSRGB && profile != nil)
    }

    /// The format of the unpacked pixels.
    func source(_ depth: PixelDepth, profile: ColorProfile?) -> PixelSource {
        let layout: PixelSource.Layout = isCMYK ? .invertedCMYK : depth == .sixteen ? .rgba16 : .rgba
        return PixelSource(
            size: size, layout: layout, isOpaque: !hasAlpha,
            profile: isLab ? nil : profile?.forPixels(areGray: isGray))
    }

    func properties(frameCount: Int) -> ImageProperties {
        let isPalette = if case .palette = colors { true } else { false }
        return ImageProperties(
            format: .tiff, pixelSize: orientation.apply(to: size), orientation: orientation, frameCount: frameCount,
            hasAlpha: hasAlpha, bitsPerChannel: isPalette ? 8 : Int(header.bits_per_sample),
            iccProfileName: profile?.name)
    }

    private var isLab: Bool { if case .lab = colors { true } else { false } }
}

extension TIFFPicture {
    private static func colors(_ header: webimage_tiff_header) throws(WebImageError) -> Colors {
        if header.is_old_jpeg { return .converted }
        switch Int(header.photometric) {
        case WEBIMAGE_TIFF_WHITE_IS_ZERO: return .gray(isInverted: true)
        case WEBIMAGE_TIFF_BLACK_IS_ZERO, WEBIMAGE_TIFF_MASK: return .gray(isInverted: false)
        case WEBIMAGE_TIFF_RGB: return .rgb
        case WEBIMAGE_TIFF_PALETTE: return .palette(try palette(header))
        case WEBIMAGE_TIFF_SEPARATED: return .cmyk
        case WEBIMAGE_TIFF_CIELAB: return .lab(isICC: false)
        case WEBIMAGE_TIFF_ICCLAB: return .lab(isICC: true)
        default: return .converted
        }
    }

    private func checkSamples() throws(WebImageError) {
        let (bits, format) = (Int(header.bits_per_sample), Int(header.sample_format))
        let depths = format == WEBIMAGE_TIFF_FLOAT ? [16, 24, 32, 64] : Array(1...32)
        guard format <= WEBIMAGE_TIFF_UNTYPED, depths.contains(bits) else {
            guard format <= WEBIMAGE_TIFF_COMPLEX_FLOAT, 1...Self.mostBits ~= bits else {
                throw .damaged(.tiff, "its samples are \(bits) bits of format \(format)")
            }
            let kind =
                format == WEBIMAGE_TIFF_FLOAT ? "floats" : format > WEBIMAGE_TIFF_UNTYPED ? "complex" : "integers"
            throw .unsupported(.tiff, "its samples are \(kind) of \(bits) bits")
        }
        guard Int(header.samples_per_pixel) >= colorCount else {
            throw .damaged(.tiff, "its pixels have \(header.samples_per_pixel) samples of \(colorCount)")
        }
    }

    /// Those of two 64-bit floats.
    private static let mostBits = 128

    /// Compressions that libtiff does not support, or not in every build.
    private static let compressionNames = [
        34_661: "JBIG", 34_712: "JPEG 2000", 34_887: "LERC", 34_925: "LZMA", 34_933: "PNG", 34_934: "JPEG XR",
        50_000: "Zstandard", 50_001: "WebP", 50_002: "JPEG XL",
    ]

    private static func unknownCompression(_ number: Int) -> WebImageError {
        let name = compressionNames[number].map { " (\($0))" } ?? ""
        return .unsupported(.tiff, "libtiff here has no compression \(number)\(name)")
    }

    private static func palette(_ header: webimage_tiff_header) throws(WebImageError) -> [UInt32] {
        let bits = Int(header.bits_per_sample)
        guard 1...16 ~= bits, let red = header.red, let green = header.green, let blue = header.blue else {
            throw .damaged(.tiff, "its palette has indices of \(bits) bits")
        }
        let count = 1 << bits
        // Palette entries have 16 bits; some writers store 8-bit values there.
        let areBytes = (0..<count).allSatisfy { max(red[$0], green[$0], blue[$0]) < 256 }
        func byte(_ value: UInt16) -> UInt32 { areBytes ? UInt32(value) : (UInt32(value) * 255 + 32_767) / 65_535 }
        return (0..<count).map { index in
            let color = byte(red[index]) | byte(green[index]) << 8 | byte(blue[index]) << 16 | 0xFF00_0000
            return UInt32(littleEndian: color)
        }
    }
}
