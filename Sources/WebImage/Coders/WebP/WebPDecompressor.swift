import CWebP
import FoundationEssentials

/// libwebp's decoder of one frame to straight RGBA, which it scales on the way when asked to.
struct WebPDecompressor {
    /// The chunks of one frame.
    let frame: Data
    /// What the frame's header says.
    let bitstream: WebPBitstream
    /// The size to decode to, no larger than the frame.
    let size: PixelSize

    /// Decodes into memory whose rows lie `bytesPerRow` apart.
    func decode(into base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) throws(WebImageError) {
        var configuration = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&configuration) != 0 else { throw .damaged(.webP, "libwebp is of another version") }
        configuration.output.colorspace = MODE_RGBA
        configuration.output.is_external_memory = 1
        configuration.output.u.RGBA = WebPRGBABuffer(
            rgba: base, stride: Int32(bytesPerRow), size: bytesPerRow * (size.height - 1) + size.width * 4)
        if size != bitstream.size {
            configuration.options.use_scaling = 1
            configuration.options.scaled_width = Int32(size.width)
            configuration.options.scaled_height = Int32(size.height)
        }
        let status = frame.bytes.withUnsafeBytes { bytes in
            WebPDecode(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &configuration)
        }
        WebPFreeDecBuffer(&configuration.output)
        try check(status)
    }

    private func check(_ status: VP8StatusCode) throws(WebImageError) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw .truncated(.webP)
        case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(for: bitstream.size)
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw .damaged(.webP, "its pixels need a feature that libwebp lacks")
        default: throw .damaged(.webP, "its pixels cannot be decoded")
        }
    }
}
