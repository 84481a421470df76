import WebImage
import WebImageCommandLine

/// The options for decoding and encoding that `convert` and `frames` share.
struct ConversionOptions: Sendable {
    var format: ImageFormat?
    var thumbnail: PixelBox?
    var pixels = PixelOptions()
    var isRaw = false
    var isDeep = false
    var quality: Int?
    var isLossless = false
    var maximumPixelSize: PixelBox?
    var colorCount: Int?
    var dithering: Double?
    var sharesColors = false
    var background: ImageEncodeOptions.BackgroundColor?
    var tiffCompression: ImageEncodeOptions.TIFFCompression?
    var embedsThumbnail = false
    var request = RequestOptions()
    var rules = OutputRules()

    /// The options that set this property of a command.
    ///
    /// - Parameter usualFormat: The format without `--format`.
    static func options<Target>(
        of property: WritableKeyPath<Target, Self>, usualFormat: String
    ) -> [CommandOption<Target>] {
        [
            .value(
                "format", .format(WritableFormat.byName), property.appending(path: \.format),
                help: "the format to write: \(WritableFormat.list("or"));\n\(usualFormat) by default"),
            .value(
                "thumbnail", .pixelBox, property.appending(path: \.thumbnail),
                help:
                    "decode to fit into WxH pixels, into W by W, or into one side (Wx, xH);\nproportions kept; only drawings are enlarged"
            ),
            .value(
                "quality", .integer(1...100), property.appending(path: \.quality),
                help: "quality of lossy formats, 1 to 100; 100 by default"),
            .flag(
                "lossless", property.appending(path: \.isLossless),
                help: "keep every pixel as it is, where the format can"),
            .flag(
                "deep", property.appending(path: \.isDeep),
                help: "keep 16 bits per channel, where the picture has and the format takes them"),
            .flag(
                "raw", property.appending(path: \.isRaw),
                help: "the pixels as stored: not turned, no colour conversion"),
            .value(
                "max-pixel-size", .pixelBox, property.appending(path: \.maximumPixelSize),
                help: "shrink every frame to fit into WxH pixels (or W, Wx, xH) before it is\nwritten"),
            .value(
                "colors", .integer(2...256), property.appending(path: \.colorCount),
                help: "colours of a frame of GIF at most, 2 to 256; 256 by default"),
            .value(
                "dithering", .number(0...1), property.appending(path: \.dithering),
                help: "how much GIF makes up for missing colours, 0 to 1; 0.5 by default"),
            .flag(
                "shared-colors", property.appending(path: \.sharesColors),
                help: "one table of colours for all frames of GIF: smaller, less exact"),
            .value(
                "background", .color, property.appending(path: \.background),
                help: "the colour under transparency where the format has none; ffffff by default"),
            .value(
                "tiff-compression", .tiffCompression, property.appending(path: \.tiffCompression),
                help: "how TIFF is compressed: none, lzw or deflate; deflate by default"),
            .flag(
                "embed-thumbnail", property.appending(path: \.embedsThumbnail),
                help: "put a small copy into a JPEG file's metadata"),
        ] + RequestOptions.options(of: property.appending(path: \.request))
            + OutputRules.options(of: property.appending(path: \.rules))
            + PixelOptions.options(of: property.appending(path: \.pixels))
    }

    func check() throws(UsageError) {
        try rules.check()
        try pixels.check(thumbnail: thumbnail, isRaw: isRaw)
        if isLossless, quality != nil {
            throw UsageError("--lossless keeps every pixel and --quality gives some up; leave one of them out")
        }
    }

    var decodeOptions: ImageDecodeOptions {
        var options = isRaw ? ImageDecodeOptions.storedPixels : ImageDecodeOptions()
        pixels.apply(to: &options)
        options.thumbnailPixelSize = thumbnail?.size
        // Straight alpha keeps the colours under transparent pixels, which files store, too.
        options.pixelFormat = isDeep ? .rgba16Straight : .rgba8Straight
        return options
    }

    var encodeOptions: ImageEncodeOptions {
        var options = ImageEncodeOptions()
        if let quality { options.compressionQuality = Double(quality) / 100 }
        options.isLossless = isLossless
        options.maxPixelSize = maximumPixelSize?.size
        if let colorCount { options.maxColorCount = colorCount }
        if let dithering { options.ditheringStrength = dithering }
        options.sharesColors = sharesColors
        if let background { options.backgroundColor = background }
        if let tiffCompression { options.tiffCompression = tiffCompression }
        options.embedsThumbnail = embedsThumbnail
        return options
    }
}
