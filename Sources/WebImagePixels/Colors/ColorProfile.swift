import CLittleCMS
import FoundationEssentials

/// An ICC profile from a file, not validated.
///
/// A profile that Little CMS cannot read has no name and no transform: its picture is shown as sRGB, as in browsers.
package struct ColorProfile: Sendable, Hashable {
    /// The profile's own bytes.
    package let bytes: Data

    package init(bytes: Data) { self.bytes = bytes }

    /// nil where a grey profile is on a picture with colours: browsers ignore such a profile.
    package func forPixels(areGray: Bool) -> ColorProfile? { isForGray && !areGray ? nil : self }

    /// The signature of the data's colour space (ICC.1:2022 §7.2.8).
    private var isForGray: Bool { bytes.dropFirst(16).starts(with: Array("GRAY".utf8)) }

    /// The profile's description; nil when it is broken or has none.
    package var name: String? {
        withHandle { handle in
            var text = [wchar_t](repeating: 0, count: Self.maximumNameLength)
            let byteCount = cmsUInt32Number(text.count * MemoryLayout<wchar_t>.stride)
            guard cmsGetProfileInfo(handle, cmsInfoDescription, "en", "US", &text, byteCount) > 0 else { return nil }
            let units = text.prefix { $0 != 0 }.map { UInt16(truncatingIfNeeded: $0) }
            return units.isEmpty ? nil : String(decoding: units, as: UTF16.self)
        }
    }

    private static let maximumNameLength = 256

    /// Calls `body` with an open profile; nil when the bytes are not a profile.
    func withHandle<Result>(_ body: (cmsHPROFILE) -> Result?) -> Result? {
        let handle = bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count)) }
        guard let handle else { return nil }
        defer { cmsCloseProfile(handle) }
        return body(handle)
    }
}
