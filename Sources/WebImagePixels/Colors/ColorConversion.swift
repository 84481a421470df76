import FoundationEssentials
import WebImageCore

/// The colours of a file, where they are not sRGB.
package enum SourceColors: Sendable, Hashable {
    /// An ICC profile.
    case profile(ColorProfile)
    /// Primaries and a transfer function.
    case coded(CodedColors)

    /// The same, without retaining the bytes around the profile.
    var withBytesOfItsOwn: SourceColors {
        profile.map { .profile(ColorProfile(bytes: $0.bytes.withUnsafeBytes { Data($0) })) } ?? self
    }

    var profile: ColorProfile? {
        guard case .profile(let profile) = self else { return nil }
        return profile
    }
}

/// A prepared colour conversion for rows. Any thread.
enum ColorConversion: Sendable {
    case profile(ColorTransform)
    case coded(CodedColorTransform)

    /// nil when nothing changes, and when a profile is broken or does not match `layout`.
    init?(_ colors: SourceColors, layout: PixelSource.Layout, to target: ColorSpace) {
        switch colors {
        case .profile(let profile):
            guard let transform = ColorTransform(profile: profile, layout: layout, to: target) else { return nil }
            self = .profile(transform)
        case .coded(let colors):
            guard let transform = CodedColorTransform(from: colors, to: target) else { return nil }
            self = .coded(transform)
        }
    }

    /// Converts straight pixels in place; alpha is unchanged. Pixels with coded colours have 16 bits a channel.
    func apply(to row: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        switch self {
        case .profile(let transform): transform.apply(to: row, pixelCount: pixelCount)
        case .coded(let transform): transform.apply(to: row, pixelCount: pixelCount)
        }
    }
}
