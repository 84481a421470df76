import CLittleCMS
import FoundationEssentials

/// An ICC profile as it stood in a file, not trusted yet.
///
/// A profile that Little CMS cannot read has no name and no transform: such a picture is shown as sRGB, as browsers do.
package struct ColorProfile: Sendable, Hashable {
    /// The profile's own bytes.
    package let bytes: Data

    package init(bytes: Data) { self.bytes = bytes }

    /// What the profile calls itself; nil when it is broken or has no name.
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

    /// Calls `body` with an open profile, nil when the bytes are none.
    func withHandle<Result>(_ body: (cmsHPROFILE) -> Result?) -> Result? {
        let handle = bytes.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count)) }
        guard let handle else { return nil }
        defer { cmsCloseProfile(handle) }
        return body(handle)
    }
}
