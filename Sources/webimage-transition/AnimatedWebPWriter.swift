import FoundationEssentials
import WebImage
import WebImageCommandLine

/// An animation written by libwebpmux, which stores and compresses the differences between frames.
struct AnimatedWebPWriter: FrameWriter {
    /// Gets the complete file.
    typealias Output = (Data) throws(WebImageError) -> Void

    private let compressor: WebPAnimationCompressor
    private let output: Output

    /// - Parameter quality: 1 to 100.
    init(size: PixelSize, quality: Int, output: @escaping Output) throws(WebImageError) {
        compressor = try WebPAnimationCompressor(size: size, quality: Double(quality) / 100)
        self.output = output
    }

    func append(_ bitmap: Bitmap, number: Int, time: Int) throws(WebImageError) {
        try compressor.append(bitmap, time: time)
    }

    func finish(end: Int) throws(WebImageError) -> Int {
        let data = try compressor.finish(end: end)
        try output(data)
        return data.count
    }

    func discard() {}
}
