import CWebP

/// libwebp's decoder of one frame whose bytes are still coming: its rows are straight RGBA, from the top down. Belongs to
/// one thread at a time.
final class WebPPushDecompressor {
    let bytesPerRow: Int

    private let bitstream: WebPBitstream
    private let decoder: OpaquePointer
    /// libwebp reads it as long as the decoder lives.
    private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
    private let pixels: PixelBuffer

    /// - Parameter size: The size to decode to, no larger than the frame.
    init(_ bitstream: WebPBitstream, size: PixelSize) throws(WebImageError) {
        bytesPerRow = size.width * 4
        self.bitstream = bitstream
        guard let pixels = PixelBuffer(byteCount: bytesPerRow * size.height) else { throw .outOfMemory(for: size) }
        self.pixels = pixels
        let settings = try bitstream.configuration(scaledTo: size, pixels.base, bytesPerRow: bytesPerRow)
        configuration = .allocate(capacity: 1)
        configuration.initialize(to: settings)
        guard let decoder = WebPIDecode(nil, 0, configuration) else {
            configuration.deallocate()
            throw .outOfMemory(for: size)
        }
        self.decoder = decoder
    }

    deinit {
        WebPIDelete(decoder)
        configuration.deallocate()
    }

    /// Decodes as far as the next bytes of the frame allow. What follows the frame is not looked at.
    func append(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let status = WebPIAppend(decoder, start, bytes.count)
        if status != VP8_STATUS_SUSPENDED { try bitstream.check(status) }
    }

    /// Rows that are final.
    var rowCount: Int {
        var count: Int32 = 0
        return WebPIDecGetRGB(decoder, &count, nil, nil, nil) == nil ? 0 : Int(count)
    }

    /// Calls `body` with a row that is final.
    func withRow<Result>(
        _ index: Int, _ body: (UnsafePointer<UInt8>) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        precondition(index < rowCount)
        return try body(pixels.base + index * bytesPerRow)
    }
}
