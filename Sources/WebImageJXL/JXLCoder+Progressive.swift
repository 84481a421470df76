import FoundationEssentials
import WebImageCoders
import WebImageCore

extension JXLCoder: ProgressiveImageCoder {
    /// A decoder that shows the picture at most three times: coarse, sharper, and whole. Of an animation it shows the
    /// first frame.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IncomingFileDecoder<IncomingJXL>(options: options)
    }
}
