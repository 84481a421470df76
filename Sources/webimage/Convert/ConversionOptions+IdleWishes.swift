import WebImage

extension ConversionOptions {
    /// An option that only some formats know.
    private struct Wish {
        let option: String
        let isGiven: Bool
        let formats: Set<ImageFormat>
        /// After the name of a format that is none of them.
        let reason: String
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
        return [
            Wish(
                option: "quality", isGiven: quality != nil, formats: WritableFormat.lossy,
                reason: "has none to choose"),
            Wish(
                option: "lossless", isGiven: isLossless, formats: all.subtracting([.jpeg, .gif]),
                reason: "cannot keep every pixel"),
            Wish(
                option: "deep", isGiven: isDeep, formats: [.png, .tiff, .pam],
                reason: "is written in 8 bits per channel"),
            Wish(option: "hdr", isGiven: pixels.keepsHDR, formats: [.png], reason: "is written in standard range"),
            Wish(option: "background", isGiven: background != nil, formats: [.jpeg], reason: "keeps transparency"),
            Wish(option: "colors", isGiven: colorCount != nil, formats: [.gif], reason: "takes all colours"),
            Wish(option: "dithering", isGiven: dithering != nil, formats: [.gif], reason: "takes all colours"),
            Wish(option: "shared-colors", isGiven: sharesColors, formats: [.gif], reason: "takes all colours"),
            Wish(
                option: "tiff-compression", isGiven: tiffCompression != nil, formats: [.tiff],
                reason: "is compressed in its own way"),
            Wish(
                option: "embed-thumbnail", isGiven: embedsThumbnail, formats: [.jpeg], reason: "is written without one"),
        ]
    }
}
