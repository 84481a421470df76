import FoundationEssentials

/// The chunks of a PNG file; pixels are not decoded.
struct PNGContents: Sendable {
    var header: PNGHeader
    /// A tRNS chunk: one colour, or some entries of the palette, are transparent.
    var hasTransparency = false
    /// The APNG animation control chunk.
    var animation: AnimationControl?
    /// The milliseconds of each valid APNG frame.
    var frameDurations: [Int] = []
    /// The content of the eXIf chunk: a TIFF header and what follows.
    var exif: Data?
    /// The content of the iCCP chunk: a name, a zero, a method and a deflated profile.
    var embeddedProfile: Data?

    /// Other chunks about the colours.
    var colors = PNGColors()

    struct AnimationControl: Sendable {
        var frameCount: Int
        /// 0 for endless.
        var playCount: Int
    }

    var hasAlpha: Bool { header.hasAlphaChannel || hasTransparency }

    /// The number of frames that the file declares and has. A PNG with a broken animation is a still picture, as in
    /// browsers.
    var frameCount: Int { max(1, min(animation?.frameCount ?? 1, frameDurations.count)) }

    /// The number of frames that the file declares; some may not have arrived.
    var announcedFrameCount: Int { animation?.frameCount ?? 1 }

    var announcedLoopCount: Int { announcedFrameCount > 1 ? animation?.playCount ?? 0 : 0 }
}

extension PNGContents {
    /// The maximum size of an ICC profile; real ones have up to about 3 MB.
    private static let maximumProfileByteCount = 8 << 20

    /// The ICC profile; nil without one, or when it cannot be inflated.
    var iccProfile: Data? {
        guard let chunk = embeddedProfile, let end = chunk.firstIndex(of: 0), end + 2 < chunk.endIndex,
            chunk[end + 1] == 0
        else { return nil }
        return Inflate.zlib(chunk[(end + 2)...], maximumByteCount: Self.maximumProfileByteCount)
    }

    /// The name that the iCCP chunk gives to its profile, in Latin-1.
    var embeddedProfileName: String? {
        guard let chunk = embeddedProfile, let end = chunk.firstIndex(of: 0), end > chunk.startIndex else { return nil }
        return String(String.UnicodeScalarView(chunk[..<end].map { Unicode.Scalar($0) }))
    }
}
