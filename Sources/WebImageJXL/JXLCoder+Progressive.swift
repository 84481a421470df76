import FoundationEssentials
import WebImage

extension JXLCoder: ProgressiveImageCoder {
    /// Whether the file is JPEG XL. A picture with progressive passes, as most have, shows from about a tenth of its
    /// bytes on.
    public func canDecodeProgressively(_ data: Data) -> Bool { canDecode(data) }

    /// A decoder that shows the picture at most three times: coarse, sharper, and whole. Of an animation it shows the
    /// first frame.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IncomingFileDecoder<IncomingJXL>(options: options)
    }
}
