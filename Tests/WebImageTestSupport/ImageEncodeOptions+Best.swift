import WebImageCore

extension ImageEncodeOptions {
    /// The best quality of lossy formats, for tests of what a coder can keep.
    package static var best: ImageEncodeOptions {
        var options = ImageEncodeOptions()
        options.compressionQuality = 1
        return options
    }
}
