import CWebP
import FoundationEssentials
import WebImageCore

/// libwebp's decoder of one frame to straight RGBA, with optional scaling.
struct WebPDecompressor {
    /// The chunks of one frame.
    let frame: Data
    /// The frame's header.
    let bitstream: WebPBitstream
    /// The size of the result, at most that of the frame.
    let size: PixelSize

    /// Decodes into rows `bytesPerRow` bytes apart.
    ///
    /// - Parameter checkpoint: Called regularly; its error ends the work.
    func decode(
        into base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, checkpoint: () throws(WebImageError) -> Void
    ) throws(WebImageError) {
        var configuration = try bitstream.configuration(scaledTo: size, base, bytesPerRow: bytesPerRow)
        let status = try frame.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return VP8_STATUS_NOT_ENOUGH_DATA
            }
            let input = UnsafeBufferPointer(start: start, count: bytes.count)
            return try withUnsafeMutablePointer(to: &configuration) { configuration throws(WebImageError) in
                bitstream.isLossless
                    ? WebPDecode(start, bytes.count, configuration)
                    : try Self.decodeInSlices(input, configuration) { _ throws(WebImageError) in try checkpoint() }
            }
        }
        try bitstream.check(status)
    }

    /// Decodes a lossy frame without alpha to luma and chroma at its own size.
    ///
    /// - Parameter progress: Called regularly with the number of finished rows; its error ends the work.
    func decode(into planes: WebPPlanes, progress: (Int) throws(WebImageError) -> Void) throws(WebImageError) {
        var configuration = try bitstream.configuration(planes)
        let status = try frame.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let input = bytes.bindMemory(to: UInt8.self)
            return try withUnsafeMutablePointer(to: &configuration) { configuration throws(WebImageError) in
                try Self.decodeInSlices(input, configuration, progress: progress)
            }
        }
        try bitstream.check(status)
    }

    private static let sliceByteCount = 64 << 10

    /// Lossy pixels take the same time in slices as at once; lossless ones take half as long again.
    private static func decodeInSlices(
        _ input: UnsafeBufferPointer<UInt8>, _ configuration: UnsafeMutablePointer<WebPDecoderConfig>,
        progress: (Int) throws(WebImageError) -> Void
    ) throws(WebImageError) -> VP8StatusCode {
        guard let decoder = WebPIDecode(nil, 0, configuration) else { return VP8_STATUS_OUT_OF_MEMORY }
        defer { WebPIDelete(decoder) }
        var status = VP8_STATUS_SUSPENDED
        var count = 0
        try progress(0)
        while status == VP8_STATUS_SUSPENDED, count < input.count {
            count = min(count + sliceByteCount, input.count)
            status = WebPIUpdate(decoder, input.baseAddress, count)
            try progress(WebPBitstream.rowCount(of: decoder))
        }
        return status
    }
}

extension WebPBitstream {
    /// libwebp's settings, with the memory for the pixels.
    func configuration(
        scaledTo size: PixelSize, _ base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
    ) throws(WebImageError) -> WebPDecoderConfig {
        var configuration = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&configuration) != 0 else { throw .damaged(.webP, "libwebp is of another version") }
        configuration.output.colorspace = MODE_RGBA
        configuration.output.is_external_memory = 1
        configuration.output.u.RGBA = WebPRGBABuffer(
            rgba: base, stride: Int32(bytesPerRow), size: bytesPerRow * (size.height - 1) + size.width * 4)
        if size != self.size {
            configuration.options.use_scaling = 1
            configuration.options.scaled_width = Int32(size.width)
            configuration.options.scaled_height = Int32(size.height)
        }
        return configuration
    }

    /// The same for the planes of a frame, without deblocking, which a thumbnail does not show: libwebp's own scaler
    /// omits it as well.
    func configuration(_ planes: WebPPlanes) throws(WebImageError) -> WebPDecoderConfig {
        var configuration = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&configuration) != 0 else { throw .damaged(.webP, "libwebp is of another version") }
        configuration.output.colorspace = MODE_YUV
        configuration.output.is_external_memory = 1
        configuration.output.u.YUVA = planes.output
        configuration.options.bypass_filtering = 1
        return configuration
    }

    /// The number of final rows.
    static func rowCount(of decoder: OpaquePointer) -> Int {
        var count: Int32 = 0
        _ = WebPIDecodedArea(decoder, nil, nil, nil, &count)
        return Int(count)
    }

    /// Throws libwebp's error.
    func check(_ status: VP8StatusCode) throws(WebImageError) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw .truncated(.webP)
        case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(for: size)
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw .damaged(.webP, "its pixels need a feature that libwebp lacks")
        default: throw .damaged(.webP, "its pixels cannot be decoded")
        }
    }
}
