import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

extension AVIFCoder: AnimatedImageCoder {
    /// The frames of an image sequence; a still picture is one frame.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        var options = options
        options.decodesFirstFrameOnly = false
        let header = try AVIFFile.withFile(data, limits: options.limits) { $0.header }
        try header.geometry.check(.avif, options.limits)
        return Self.animation(of: data, header, options)
    }

    /// The frames of a file that is within the limits.
    static func animation(
        of data: Data, _ header: AVIFHeader, _ options: ImageDecodeOptions
    ) -> SequentialAnimation {
        let geometry = header.geometry(options)
        return SequentialAnimation(
            milliseconds: header.frameDurations, loopCount: header.loopCount, data: data,
            decoderByteCount: header.geometry.storedSize.area * AVIFFrames.bytesPerPixel, options: options
        ) { () throws(WebImageError) in
            let readable = header.isMended ? AVIFRepair.mended(data) ?? data : data
            return try AVIFFrames(readable, geometry, limits: options.limits)
        }
    }
}

/// The frames of an image sequence, decoded in order. Belongs to one thread at a time.
final class AVIFFrames: WholeFrameDecoder {
    /// libavif keeps AV1's reference frames: up to eight, of one and a half to six bytes a pixel.
    static let bytesPerPixel = 16

    /// libavif reads the file during decoding.
    private let bytes: PixelBuffer
    private let file: AVIFFile
    private let geometry: ThumbnailGeometry
    private var next = 0

    init(_ data: Data, _ geometry: ThumbnailGeometry, limits: ImageLimits) throws(WebImageError) {
        guard let bytes = PixelBuffer(copying: data) else { throw .truncated(.avif) }
        self.bytes = bytes
        self.geometry = geometry
        file = try AVIFFile(UnsafeRawBufferPointer(start: bytes.base, count: data.count), limits: limits)
    }

    func nextFrame(options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        try file.decodeFrame(at: next)
        next += 1
        return try AVIFPixels(file.image, file.header).bitmap(geometry, options)
    }

    func seek(to index: Int) -> Int {
        // libavif finds the frame's key frame by itself.
        next = index
        return index
    }
}
