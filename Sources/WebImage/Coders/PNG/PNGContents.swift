import FoundationEssentials

/// What the chunks of a PNG file say; pixels are not decoded yet.
struct PNGContents: Sendable {
    var header: PNGHeader
    /// A tRNS chunk: some colour, or some entries of the palette, are transparent.
    var hasTransparency = false
    /// The APNG animation control chunk.
    var animation: AnimationControl?
    /// Milliseconds of each APNG frame that can be shown.
    var frameDurations: [Int] = []
    /// The content of the eXIf chunk: a TIFF header and what follows.
    var exif: Data?
    /// The content of the iCCP chunk: a name, a zero, a method and a deflated profile.
    var embeddedProfile: Data?

    /// What other chunks say of the colours.
    var colors = PNGColors()

    struct AnimationControl: Sendable {
        var frameCount: Int
        /// 0 is for ever.
        var playCount: Int
    }

    var hasAlpha: Bool { header.hasAlphaChannel || hasTransparency }

    /// Frames that the file announces and has. A PNG whose animation is broken is a still picture, as for browsers.
    var frameCount: Int { max(1, min(animation?.frameCount ?? 1, frameDurations.count)) }

    /// Frames that the file announces, of which some may still be coming.
    var announcedFrameCount: Int { animation?.frameCount ?? 1 }

    var announcedLoopCount: Int { announcedFrameCount > 1 ? animation?.playCount ?? 0 : 0 }
}

extension PNGContents {
    /// Largest ICC profile that is taken; real ones end at about 3 MB.
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
