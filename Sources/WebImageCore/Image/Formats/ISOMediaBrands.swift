/// The brands at the beginning of a file of boxes: HEIF, AVIF and MP4 share this container and differ by them (ISO/IEC
/// 14496-12 §4.3, ISO/IEC 23008-12 §10.2, AVIF §6; https://mp4ra.org/registered-types/brands).
struct ISOMediaBrands {
    /// The brand that the file is made for. It may be one that few know, and the others decide.
    private let major: String
    private let compatible: Set<String>

    /// - Parameter head: The beginning of a file; nil for one that does not begin with brands.
    init?(_ head: [UInt8]) {
        guard head.dropFirst(4).starts(with: Array("ftyp".utf8)), head.count >= 12 else { return nil }
        major = Self.text(head[8..<12])
        // From byte 16 to the end of the box.
        let end = min(head.count, head[..<4].reduce(0) { $0 << 8 | Int($1) })
        compatible = Set(stride(from: 16, to: end - 3, by: 4).map { Self.text(head[$0..<$0 + 4]) })
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// nil for a file without pictures, and for one whose brands are all unknown.
    var format: ImageFormat? {
        if Self.otherBrands.contains(major) { return nil }
        if let format = Self.format(of: major) { return format }
        if compatible.contains(where: Self.avif.contains) { return .avif }
        // These say that the file has items, but not of which codec.
        if Self.heif.contains(major) { return .heif }
        if compatible.contains(where: Self.heic.contains) { return .heic }
        if compatible.contains(where: Self.heif.contains) { return .heif }
        return compatible.contains(where: Self.isOfVideo) ? .mp4 : nil
    }

    /// The format of a brand that decides alone.
    private static func format(of brand: String) -> ImageFormat? {
        if avif.contains(brand) { return .avif }
        if heic.contains(brand) { return .heic }
        return isOfVideo(brand) ? .mp4 : nil
    }

    private static let avif: Set = ["avif", "avis", "MA1A", "MA1B"]
    /// With HEVC, single pictures and sequences, also of several layers and views.
    private static let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
    private static let heif: Set = ["mif1", "mif2", "msf1", "miaf"]
    private static let video: Set = [
        "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "mp41", "mp42",
        "mp4v", "avc1", "M4V ", "M4VH", "M4VP", "dash", "MSNV", "mmp4", "cmfc", "cmf2", "cmff", "f4v ", "qt  ",
    ]
    /// Sound only, and Canon's raw pictures, which say that they are also MP4.
    private static let otherBrands: Set = ["M4A ", "M4B ", "M4P ", "F4A ", "F4B ", "crx "]

    /// Those of mobile telephones have a letter for the profile, and a number for the release.
    private static func isOfVideo(_ brand: String) -> Bool {
        video.contains(brand) || brand.hasPrefix("3gp") || brand.hasPrefix("3g2")
            || brand.hasPrefix("3g") && brand.count == 4
                && "ehrst".contains(brand[brand.index(brand.startIndex, offsetBy: 2)])
    }
}

extension ISOMediaBrands {
    /// The boxes that QuickTime files begin with that are older than brands (QuickTime File Format, "Movie Files"), and
    /// whether these are empty.
    private static let firstBoxes = [
        "moov": false, "mdat": false, "wide": true, "free": true, "skip": true, "pnot": false,
    ]

    /// The format of a file without brands, by its first box.
    static func formatWithoutBrands(_ head: [UInt8]) -> ImageFormat? {
        guard head.count >= 8, let isEmpty = firstBoxes[text(head[4..<8])] else { return nil }
        let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        // A length of 1 stands in front of a larger number. Texts have larger ones.
        return isEmpty ? (length == 8 ? .mp4 : nil) : length == 1 || 8...0x1FFF_FFFF ~= length ? .mp4 : nil
    }
}
