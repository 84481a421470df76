import WebImage
import WebImageCommandLine

extension OptionValue where Value == ImageEncodeOptions.TIFFCompression {
    /// A TIFF compression by its name.
    static var tiffCompression: Self {
        Self(placeholder: "NAME", expectation: "none, lzw or deflate", completion: .words(["none", "lzw", "deflate"])) {
            name in
            switch name.lowercased() {
            case "none": ImageEncodeOptions.TIFFCompression.none
            case "lzw": .lzw
            case "deflate": .deflate
            default: nil
            }
        }
    }
}
