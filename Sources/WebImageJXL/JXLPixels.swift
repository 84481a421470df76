import CJXL
import WebImageCore
import WebImagePixels

/// The frames of one file, decoded in order. Belongs to one thread at a time.
final class JXLPixels {
    private let decompressor: JXLDecompressor
    /// Known after the first frame.
    private var format: (header: JXLHeader, source: PixelSource, black: Int?)?

    init(_ decompressor: JXLDecompressor) { self.decompressor = decompressor }

    /// Decodes the next frame with `geometry`.
    func nextFrame(_ geometry: ThumbnailGeometry, _ options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        let (header, source, black) = try readFormat(options)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        return try assembler.assemblePicture { base, _ throws(WebImageError) in
            try self.decode(into: base, header, source, black)
        }
    }

    private func readFormat(
        _ options: ImageDecodeOptions
    ) throws(WebImageError) -> (header: JXLHeader, source: PixelSource, black: Int?) {
        if let format { return format }
        let header = try decompressor.readHeader()
        let known = (header, decompressor.source(header, options), decompressor.blackChannel(header))
        format = known
        return known
    }

    private func decode(
        into base: UnsafeMutablePointer<UInt8>, _ header: JXLHeader, _ source: PixelSource, _ black: Int?
    ) throws(WebImageError) {
        let ink = try black.map { index throws(WebImageError) in (index, try Self.buffer(header.size, channels: 1)) }
        while true {
            switch try decompressor.next() {
            case .pixelsWanted:
                try decompressor.setOutput(base, header, source.layout == .rgba16 ? .sixteen : .eight)
                if let ink { try setBlackOutput(ink.1, ink.0, header) }
            case .frameEnd:
                if let ink { Self.insertBlack(ink.1, into: base, pixelCount: header.size.area) }
                return
            case .moreBytesWanted: throw .truncated(.jpegXL)
            case .end: throw .damaged(.jpegXL, "it has fewer frames than it says")
            default: continue
            }
        }
    }

    private func setBlackOutput(_ ink: PixelBuffer, _ index: Int, _ header: JXLHeader) throws(WebImageError) {
        var format = JXLDecompressor.pixelFormat(channels: 1)
        let status = JxlDecoderSetExtraChannelBuffer(
            decompressor.decoder, &format, ink.base, header.size.area, UInt32(index))
        guard status == JXL_DEC_SUCCESS else { throw .damaged(.jpegXL, "libjxl cannot give its black ink") }
    }

    private static func insertBlack(
        _ ink: PixelBuffer, into base: UnsafeMutablePointer<UInt8>, pixelCount: Int
    ) {
        for index in 0..<pixelCount { base[index * 4 + 3] = ink.base[index] }
    }

    private static func buffer(_ size: PixelSize, channels: Int) throws(WebImageError) -> PixelBuffer {
        guard let buffer = PixelBuffer(byteCount: size.area * channels) else { throw .outOfMemory(for: size) }
        return buffer
    }
}

extension JXLDecompressor {
    /// The black channel of a CMYK picture, whose cyan, magenta and yellow take the places of red, green and blue.
    func blackChannel(_ header: JXLHeader) -> Int? {
        (0..<header.extraChannelCount).first { index in
            var info = JxlExtraChannelInfo()
            return JxlDecoderGetExtraChannelInfo(decoder, index, &info) == JXL_DEC_SUCCESS
                && info.type == JXL_CHANNEL_BLACK
        }
    }

    /// The layout of the pixels; called directly after the header was read.
    func source(_ header: JXLHeader, _ options: ImageDecodeOptions) -> PixelSource {
        let isCMYK = blackChannel(header) != nil
        let colors = chooseColors(header, options)
        let depth = header.depth(options, isHighDynamicRange: colors.isHighDynamicRange)
        return PixelSource(
            size: header.size, layout: isCMYK ? .invertedCMYK : depth == .sixteen ? .rgba16 : .rgba,
            isOpaque: !header.hasAlpha || isCMYK, profile: colors.profile, colors: colors.coded)
    }

    /// Sets the buffer for the next frame: straight RGBA without padding.
    func setOutput(
        _ base: UnsafeMutablePointer<UInt8>, _ header: JXLHeader, _ depth: PixelDepth
    ) throws(WebImageError) {
        var format = Self.pixelFormat(channels: 4)
        if depth == .sixteen { format.data_type = JXL_TYPE_UINT16 }
        let status = JxlDecoderSetImageOutBuffer(decoder, &format, base, header.size.area * depth.bytesPerPixel)
        guard status == JXL_DEC_SUCCESS else { throw .damaged(.jpegXL, "libjxl cannot give its pixels as RGBA") }
    }

    fileprivate static func pixelFormat(channels: UInt32) -> JxlPixelFormat {
        JxlPixelFormat(num_channels: channels, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
    }
}
