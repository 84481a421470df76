import WebImageCoders
import WebImageCore

private let shared = FormatCoder(VideoCoder())

extension ImageCoder where Self == FormatCoder {
    /// WebM and MP4 by GStreamer, as silent animations that repeat; add it to ``WebImage/ImageCodersManager``.
    public static var video: FormatCoder { shared }
}
