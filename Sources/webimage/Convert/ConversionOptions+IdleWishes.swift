import WebImage

extension ConversionOptions {
    /// An option that only some formats know.
    private struct Wish {
        let option: String
        let isGiven: Bool
        let formats: Set<ImageFormat>
        /// Those of them in which it makes another file of one that is there.
        let rewritten: Set<ImageFormat>
        /// After the name of a format that is none of them.
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

    /// Whether anything was asked for that makes another file of one in `format`, whatever its size. What the format does
    /// not know, or does anyway, does not.
    func rewrites(_ format: ImageFormat) -> Bool {
        isRaw || wishes.contains { $0.isGiven && $0.rewritten.contains(format) }
    }

    /// What was asked for and changes nothing in `format`: a sentence each.
    func idleWishes(in format: ImageFormat) -> [String] {
        wishes.filter { $0.isGiven && !$0.formats.contains(format) }.map { wish in
            "--\(wish.option) changes nothing in \(format), which \(wish.reason); it is for "
                + WritableFormat.titles(of: wish.formats)
        }
    }

    private var wishes: [Wish] {
        let all = Set(WritableFormat.byName.map(\.value))
        let deep: Set<ImageFormat> = [.png, .tiff, .pam, .jpegXL, .avif]
        return [
            Wish("quality", isGiven: quality != nil, formats: WritableFormat.lossy, reason: "has none to choose"),
            // What loses nothing anyway is no other file.
            Wish(
                "lossless", isGiven: isLossless, formats: all.subtracting([.jpeg, .gif]),
                rewritten: WritableFormat.lossy.subtracting([.jpeg]), reason: "cannot keep every pixel"),
            // A file has all of its bits and colours, and what has transparency keeps it.
            Wish(
                "deep", isGiven: isDeep, formats: deep, rewritten: [], reason: "is written in 8 bits per channel"),
            Wish(
                "hdr", isGiven: pixels.keepsHDR, formats: [.png, .jpegXL, .avif], rewritten: [],
                reason: "is written in standard range"),
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
            // A file that is GIF already lacks no colours.
            Wish("dithering", isGiven: dithering != nil, formats: [.gif], rewritten: [], reason: reason),
            Wish("shared-colors", isGiven: sharesColors, formats: [.gif], reason: reason),
        ]
    }
}
