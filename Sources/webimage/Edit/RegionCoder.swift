import FoundationEssentials
import WebImage

/// Decodes what the changes of a picture begin with, where that takes less than the whole picture.
struct RegionCoder: ImageCoder {
    private let base: any ImageCoder
    private let editing: PictureEditing

    init(_ base: any ImageCoder, editing: PictureEditing) {
        self.base = base
        self.editing = editing
    }

    func canDecode(_ data: Data) -> Bool { base.canDecode(data) }
    func canDecode(_ format: ImageFormat) -> Bool { base.canDecode(format) }
    func canEncode(_ format: ImageFormat) -> Bool { base.canEncode(format) }
    var progressiveCoder: (any ProgressiveImageCoder)? { base.progressiveCoder }
    var animatedCoder: (any AnimatedImageCoder)? { base.animatedCoder }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try base.properties(of: data, isComplete: isComplete)
    }

    func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        try base.properties(of: data, isComplete: isComplete, options: options)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        var (options, unscaled) = (options, options)
        // Changes count pixels, also of a picture whose name has a scale.
        unscaled.scaleFactor = nil
        if let properties = try base.properties(of: data, isComplete: true, options: options) {
            options.region = editing.beginning(of: properties, by: base, options: unscaled)?.region
        }
        return try base.decode(data, options: options)
    }

    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try base.encode(image, to: format, options: options)
    }

    func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try base.encode(frames, loopCount: loopCount, to: format, options: options)
    }
}
