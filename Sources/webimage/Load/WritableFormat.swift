import WebImage
import WebImageCommandLine

/// The formats that can be written, by name.
enum WritableFormat {
    static let byName: KeyValuePairs<String, ImageFormat> = [
        "jpeg": .jpeg, "png": .png, "webp": .webP, "gif": .gif, "avif": .avif, "heic": .heic, "jxl": .jpegXL,
        "tiff": .tiff, "bmp": .bmp, "pam": .pam,
    ]

    /// The formats with animations.
    static let moving = ImageFormat.all(.moving)

    /// The formats with a quality setting.
    static let lossy = ImageFormat.all(.lossy)

    /// The formats with pages.
    static let paged = ImageFormat.all(.paged)

    /// The names of all, for a sentence.
    static func list(_ conjunction: String = "and") -> String { byName.map(\.key).inWords(conjunction) }

    /// The formats' usual names, in the order of the short names.
    static func titles(of formats: Set<ImageFormat>) -> String {
        byName.map(\.value).filter(formats.contains).map(\.description).inWords()
    }
}

extension StringProtocol {
    /// A file name without and with its extension: `a.b.jpg` gives `a.b` and `jpg`, `.profile` only a name.
    var nameAndExtension: (name: String, extension: String) {
        guard let dot = lastIndex(of: "."), dot != startIndex else { return (String(self), "") }
        return (String(self[..<dot]), String(self[index(after: dot)...]))
    }
}
