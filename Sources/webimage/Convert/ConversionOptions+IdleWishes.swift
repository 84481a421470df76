import WebImage

extension ConversionOptions {
    /// An option that only some formats support.
    private struct Wish {
        let option: String
        let isGiven: Bool
        let formats: Set<ImageFormat>
        /// The formats among them whose file has to be written again for this option.
        let rewritten: Set<ImageFormat>
        /// The text after the name of a format that does not support it.
        let reason: String

        init(
            _ option: String, isGiven: Bool, formats: Set<ImageFormat>, rewritten: Set<ImageFormat>? = nil,
            reason: String
        ) {
            self.option = option
            self.isGiven = isGiven
            self.formats = formats
            self.rewritten = rewritten ?? formats
            self.reason = reason
        }
    }

    /// Whether any given option means that a file in `format` has to be written again, whatever its size. Options that
    /// the format does not support, or that hold anyway, do not.
    func rewrites(_ format: ImageFormat) -> Bool {
        isRaw || wishes.contains { $0.isGiven && $0.rewritten.contains(format) }
    }

    /// The given options that have no effect in `format`: a sentence each.
    func idleWishes(in format: ImageFormat) -> [String] {
        wishes.filter { $0.isGiven && !$0.formats.contains(format) }.map { wish in
            "--\(wish.option) changes nothing in \(format), which \(wish.reason); it is for "
                + WritableFormat.titles(of: wish.formats)
        }
    }

    private var wishes: [Wish] {
        let all = Set(WritableFormat.byName.map(\.value))
        let wide = ImageFormat.all(.wide)
        return [
            Wish("quality", isGiven: quality != nil, formats: WritableFormat.lossy, reason: "has none to choose"),
            // A lossless format stays as it is.
            Wish(
                "lossless", isGiven: isLossless, formats: all.subtracting([.jpeg, .gif]),
                rewritten: WritableFormat.lossy.subtracting([.jpeg]), reason: "cannot keep every pixel"),
            // A file has all of its bits and colours already, and transparency is kept.
            Wish(
                "deep", isGiven: isDeep, formats: ImageFormat.all(.deep), rewritten: [],
                reason: "is written in 8 bits per channel"),
            Wish(
                "hdr", isGiven: pixels.keepsHDR, formats: wide, rewritten: [],
                reason: "gets standard range where its pixels are written"),
            Wish(
                "wide-gamut", isGiven: pixels.keepsWideGamut, formats: wide, rewritten: [],
                reason: "gets sRGB where its pixels are written"),
            Wish(
                "background", isGiven: background != nil, formats: [.jpeg], rewritten: [],
                reason: "keeps transparency"),
        ] + ofGIF + [
            Wish(
                "tiff-compression", isGiven: tiffCompression != nil, formats: [.tiff],
                reason: "is compressed in its own way"),
            Wish("embed-thumbnail", isGiven: embedsThumbnail, formats: [.jpeg], reason: "is written without one"),
        ]
    }

    private var ofGIF: [Wish] {
        let hasFewer = colorCount.map { $0 < ImageEncodeOptions().maxColorCount } ?? false
        let reason = "takes all colours"
        return [
            Wish(
                "colors", isGiven: colorCount != nil, formats: [.gif], rewritten: hasFewer ? [.gif] : [],
                reason: reason),
            // A GIF file already has few enough colours.
            Wish("dithering", isGiven: dithering != nil, formats: [.gif], rewritten: [], reason: reason),
            Wish("shared-colors", isGiven: sharesColors, formats: [.gif], reason: reason),
        ]
    }
}
