import CJXL
import FoundationEssentials
import WebImage

extension JXLCoder: AnimatedImageCoder {
    /// The frames of an animation; a still picture is one frame.
    package func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        var options = options
        options.decodesFirstFrameOnly = false
        let contents = try JXLContents(of: data, isComplete: true, limits: options.limits)
        return Self.animation(of: data, contents, options)
    }

    /// The frames of a file that is within the limits.
    static func animation(
        of data: Data, _ contents: JXLContents, _ options: ImageDecodeOptions
    ) -> SequentialAnimation {
        let geometry = contents.geometry(options)
        return SequentialAnimation(
            milliseconds: contents.frameDurations.isEmpty ? [0] : contents.frameDurations,
            loopCount: contents.loopCount, data: data,
            decoderByteCount: contents.header.size.area * JXLFrames.bytesPerPixel, options: options
        ) { () throws(WebImageError) in
            try JXLFrames(data, geometry, options)
        }
    }
}

/// The frames of an animation, decoded in order. Belongs to one thread at a time.
final class JXLFrames: WholeFrameDecoder {
    /// libjxl keeps up to four reference frames as floating-point numbers, and the current one.
    static let bytesPerPixel = 64

    /// libjxl reads the file during decoding.
    private let bytes: PixelBuffer
    private let byteCount: Int
    private let geometry: ThumbnailGeometry
    private let options: ImageDecodeOptions
    private var frames: JXLPixels

    init(_ data: Data, _ geometry: ThumbnailGeometry, _ options: ImageDecodeOptions) throws(WebImageError) {
        guard let bytes = PixelBuffer(copying: data) else { throw .truncated(.jpegXL) }
        self.bytes = bytes
        byteCount = data.count
        self.geometry = geometry
        self.options = options
        frames = try Self.frames(bytes, byteCount, from: 0, options)
    }

    func nextFrame(options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        try frames.nextFrame(geometry, options)
    }

    func seek(to index: Int) throws(WebImageError) -> Int {
        frames = try Self.frames(bytes, byteCount, from: index, options)
        return index
    }

    /// libjxl skips the frames before, unless others are drawn on them.
    private static func frames(
        _ bytes: PixelBuffer, _ byteCount: Int, from index: Int, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> JXLPixels {
        let decompressor = try JXLDecompressor(options: options)
        if index > 0 { JxlDecoderSkipFrames(decompressor.decoder, index) }
        decompressor.setInput(UnsafeRawBufferPointer(start: bytes.base, count: byteCount))
        return JXLPixels(decompressor)
    }
}
