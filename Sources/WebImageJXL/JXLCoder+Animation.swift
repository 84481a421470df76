import CJXL
import FoundationEssentials
import WebImage

extension JXLCoder: AnimatedImageCoder {
    /// The frames of an animation; a still picture is one frame.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        var options = options
        options.decodesFirstFrameOnly = false
        let contents = try JXLContents(of: data, isComplete: true, limits: options.limits)
        return Self.animation(of: data, contents, options)
    }

    /// The frames of a file whose limits were checked.
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

/// The frames of an animation, decoded one after the other. Belongs to one thread at a time.
final class JXLFrames: WholeFrameDecoder {
    /// Up to four frames are kept that others are drawn on, as floating-point numbers, and the one that is made.
    static let bytesPerPixel = 64

    /// libjxl reads the file as long as it decodes.
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

    /// libjxl leaves out the frames before, as far as others are not drawn on them.
    private static func frames(
        _ bytes: PixelBuffer, _ byteCount: Int, from index: Int, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> JXLPixels {
        let decompressor = try JXLDecompressor(options: options)
        if index > 0 { JxlDecoderSkipFrames(decompressor.decoder, index) }
        decompressor.setInput(UnsafeRawBufferPointer(start: bytes.base, count: byteCount))
        return JXLPixels(decompressor)
    }
}
