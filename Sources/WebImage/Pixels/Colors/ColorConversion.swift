import FoundationEssentials

/// What the numbers of a file mean, where they are not sRGB.
package enum SourceColors: Sendable, Hashable {
    /// By an ICC profile.
    case profile(ColorProfile)
    /// By primaries and a transfer function.
    case coded(CodedColors)

    /// The same, holding no other bytes in memory.
    var withBytesOfItsOwn: SourceColors {
        profile.map { .profile(ColorProfile(bytes: $0.bytes.withUnsafeBytes { Data($0) })) } ?? self
    }

    var profile: ColorProfile? {
        guard case .profile(let profile) = self else { return nil }
        return profile
    }
}

/// A change of colours that is set up and can be applied to rows. Any thread.
enum ColorConversion: Sendable {
    case profile(ColorTransform)
    case coded(CodedColorTransform)

    /// nil when nothing changes, and when a profile is broken or for other pixels than `layout`.
    init?(_ colors: SourceColors, layout: PixelSource.Layout, to target: ColorSpace) {
        switch colors {
        case .profile(let profile):
            guard let transform = ColorTransform(profile: profile, layout: layout) else { return nil }
            self = .profile(transform)
        case .coded(let colors):
            guard let transform = CodedColorTransform(from: colors, to: target) else { return nil }
            self = .coded(transform)
        }
    }

    /// Converts straight pixels in place; alpha stays. Pixels of coded colours have 16 bits a channel.
    func apply(to row: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        switch self {
        case .profile(let transform): transform.apply(to: row, pixelCount: pixelCount)
        case .coded(let transform): transform.apply(to: row, pixelCount: pixelCount)
        }
    }
}
