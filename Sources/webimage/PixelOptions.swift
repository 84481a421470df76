import WebImage
import WebImageCommandLine

/// The options for decoding that all commands share.
struct PixelOptions: Sendable {
    var stretches = false
    var keepsHDR = false
    var keepsWideGamut = false
    var takesPreview = false
    var limitBytes: Int?
    var maximumPixelCount: Int?
    var maximumFrameCount: Int?

    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .flag(
                "stretch", property.appending(path: \.stretches),
                help: "fill the box of --thumbnail exactly, without keeping proportions"),
            .flag(
                "hdr", property.appending(path: \.keepsHDR),
                help: "keep high dynamic range: 16 bits in PQ or HLG, which PNG, AVIF\nand JPEG XL can hold"),
            .flag(
                "wide-gamut", property.appending(path: \.keepsWideGamut),
                help: "keep colours outside of sRGB: in Display P3, which PNG, AVIF and\nJPEG XL can hold"),
            .flag(
                "preview", property.appending(path: \.takesPreview),
                help: "make --thumbnail of a progressive JPEG's first scans, faster and less exact"),
            .value(
                "limit-bytes", .byteCount, property.appending(path: \.limitBytes),
                help:
                    "bytes of memory, such as 64MB, that all frames together may take: decode\nsmaller where they would take more"
            ),
            .value(
                "max-pixels", .integer(1...1 << 40), property.appending(path: \.maximumPixelCount),
                help: "pixels that a picture may have (ImageLimits.maximumPixelCount);\n268435456 by default"),
            .maximumFrameCount(property.appending(path: \.maximumFrameCount)),
        ]
    }

    func check(thumbnail: PixelBox?, isRaw: Bool) throws(UsageError) {
        if keepsHDR, isRaw {
            throw UsageError("--raw converts no colours, so that --hdr keeps nothing more; leave one of them out")
        }
        if keepsWideGamut, isRaw {
            throw UsageError(
                "--raw converts no colours, so that --wide-gamut keeps nothing more; leave one of them out")
        }
        if stretches, thumbnail?.isOpen == true {
            throw UsageError("--stretch needs a box with both sides; write --thumbnail WxH")
        }
        guard thumbnail == nil else { return }
        if stretches { throw UsageError("--stretch needs a box to fill; add --thumbnail WxH") }
        if takesPreview { throw UsageError("--preview is of a thumbnail; add --thumbnail WxH") }
    }

    func apply(to options: inout ImageDecodeOptions) {
        options.preservesAspectRatio = !stretches
        options.decodesToHDR = keepsHDR
        options.decodesToWideGamut = keepsWideGamut
        options.decodesPreview = takesPreview
        options.scaleDownLimitBytes = limitBytes
        if let maximumFrameCount { options.limits.maximumFrameCount = maximumFrameCount }
        guard let maximumPixelCount else { return }
        options.limits.maximumPixelCount = maximumPixelCount
        options.limits.maximumSourcePixelCount = max(options.limits.maximumSourcePixelCount, maximumPixelCount)
    }
}

extension CommandOption {
    /// The limit of frames, which commands have that read all of them.
    static func maximumFrameCount(_ property: WritableKeyPath<Target, Int?>) -> Self {
        .value(
            "max-frames", .integer(1...1 << 30), property,
            help: "frames that an animation may have (ImageLimits.maximumFrameCount);\n10000 by default")
    }
}
