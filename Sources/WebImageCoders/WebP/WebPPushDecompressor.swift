import CWebP
import WebImageCore
import WebImagePixels

/// libwebp's incremental decoder of one frame: its rows are straight RGBA, from the top down. Belongs to one thread at
/// a time.
final class WebPPushDecompressor {
    private enum Output {
        case pixels(PixelBuffer, bytesPerRow: Int)
        case planes(WebPPlanes, row: PixelBuffer)
    }

    private let bitstream: WebPBitstream
    private let decoder: OpaquePointer
    /// libwebp reads it for the lifetime of the decoder.
    private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
    private let output: Output
    private var deliveredRowCount = 0

    init(_ plan: WebPDecodePlan) throws(WebImageError) {
        bitstream = plan.frame.bitstream
        let settings: WebPDecoderConfig
        if let planes = plan.planes {
            let row = try Self.buffer(PixelSize(width: planes.reducedSize.width, height: 1))
            output = .planes(planes, row: row)
            settings = try bitstream.configuration(planes)
        } else {
            let (pixels, bytesPerRow) = (try Self.buffer(plan.frameSize), plan.frameSize.width * 4)
            output = .pixels(pixels, bytesPerRow: bytesPerRow)
            settings = try bitstream.configuration(
                scaledTo: plan.frameSize, pixels.base, bytesPerRow: bytesPerRow)
        }
        configuration = .allocate(capacity: 1)
        configuration.initialize(to: settings)
        guard let decoder = WebPIDecode(nil, 0, configuration) else {
            configuration.deallocate()
            throw .outOfMemory(for: plan.frameSize)
        }
        self.decoder = decoder
    }

    private static func buffer(_ size: PixelSize) throws(WebImageError) -> PixelBuffer {
        guard let buffer = PixelBuffer(byteCount: size.area * 4) else { throw .outOfMemory(for: size) }
        return buffer
    }

    deinit {
        WebPIDelete(decoder)
        configuration.deallocate()
    }

    /// Decodes the next bytes of the frame. Ignores bytes after the frame.
    func append(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let status = WebPIAppend(decoder, start, bytes.count)
        if status != VP8_STATUS_SUSPENDED { try bitstream.check(status) }
    }

    /// Calls `body` with each row that has become final since the last call.
    func forEachNewRow(
        _ body: (UnsafePointer<UInt8>) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        let rowCount = WebPBitstream.rowCount(of: decoder)
        switch output {
        case .pixels(let pixels, let bytesPerRow):
            while deliveredRowCount < rowCount {
                try body(pixels.base + deliveredRowCount * bytesPerRow)
                deliveredRowCount += 1
            }
        case .planes(let planes, let row):
            while planes.hasNextRow(after: rowCount) {
                planes.writeNextRow(to: row.base)
                try body(row.base)
            }
        }
    }
}
