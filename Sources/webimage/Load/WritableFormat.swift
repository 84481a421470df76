import WebImage

/// The formats that can be asked for by name.
enum WritableFormat {
    static let byName: KeyValuePairs<String, ImageFormat> = [
        "jpeg": .jpeg, "png": .png, "webp": .webP, "gif": .gif, "avif": .avif, "heic": .heic, "jxl": .jpegXL,
        "tiff": .tiff,
        "bmp": .bmp, "pam": .pam,
    ]

    /// Those that hold animations.
    static let moving: Set<ImageFormat> = [.png, .webP, .gif, .avif, .jpegXL]

    /// Those of several pages.
    static let paged: Set<ImageFormat> = [.tiff, .pdf]

    /// Their names, for a sentence.
    static var list: String {
        let names = byName.map(\.key)
        return "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
    }
}

extension StringProtocol {
    /// A file name without and with its extension: `a.b.jpg` gives `a.b` and `jpg`, `.profile` only a name.
    var nameAndExtension: (name: String, extension: String) {
        guard let dot = lastIndex(of: "."), dot != startIndex else { return (String(self), "") }
        return (String(self[..<dot]), String(self[index(after: dot)...]))
    }
}
