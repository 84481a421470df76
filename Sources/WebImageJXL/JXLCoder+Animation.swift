import CJXL
import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

extension JXLCoder: AnimatedImageCoder {
    /// The frames of an animation; a still picture is one frame.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        var options = options
        options.decodesFirstFrameOnly = false
        let contents = try JXLContents(of: data, options: options)
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

    private let file: Data
    private let geometry: ThumbnailGeometry
    private let options: ImageDecodeOptions
    private var frames: JXLPixels
    /// The bytes that libjxl reads during decoding.
    private var bytes: PixelBuffer
    private var byteCount: Int
    /// The frame that comes next.
    private var next = 0
    /// Whether libjxl gets everything at once, because it has failed in slices.
    private var takesAll = false

    init(_ data: Data, _ geometry: ThumbnailGeometry, _ options: ImageDecodeOptions) throws(WebImageError) {
        guard let bytes = PixelBuffer(copying: data) else { throw .truncated(.jpegXL) }
        file = data
        self.bytes = bytes
        byteCount = data.count
        self.geometry = geometry
        self.options = options
        frames = JXLPixels(try JXLDecompressor(options: options))
        _ = try seek(to: 0)
    }

    func nextFrame(options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        let bitmap: Bitmap
        do throws(WebImageError) {
            bitmap = try frames.nextFrame(geometry, options)
        } catch {
            guard !takesAll, error.code == .badImageData, JXLDecompressor.comesInParts(file) else { throw error }
            try takeAll()
            bitmap = try frames.nextFrame(geometry, options)
        }
        next += 1
        return bitmap
    }

    private func takeAll() throws(WebImageError) {
        let codestream = file.jpegXLCodestream
        guard let bytes = PixelBuffer(copying: codestream) else { throw .truncated(.jpegXL) }
        (self.bytes, byteCount, takesAll) = (bytes, codestream.count, true)
        _ = try seek(to: next)
    }

    /// libjxl skips the frames before, unless others are drawn on them.
    func seek(to index: Int) throws(WebImageError) -> Int {
        let decompressor = try JXLDecompressor(options: options, takesAll: takesAll)
        if index > 0 { JxlDecoderSkipFrames(decompressor.decoder, index) }
        decompressor.setInput(UnsafeRawBufferPointer(start: bytes.base, count: byteCount))
        frames = JXLPixels(decompressor)
        next = index
        return index
    }
}
