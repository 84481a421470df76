import CJXL
import FoundationEssentials
import WebImageCore

/// libjxl's decoder of one file. Belongs to one thread at a time.
final class JXLDecompressor {
    /// The point where libjxl stopped.
    enum Event: Hashable {
        case header, colors, frame, pixelsWanted, progress, frameEnd, end
        /// The input is consumed.
        case moreBytesWanted
    }

    /// The maximum input between two checks for cancellation.
    static let sliceByteCount = 256 << 10

    let decoder: OpaquePointer
    private let options: ImageDecodeOptions
    private let sliceByteCount: Int
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The number of bytes of ``input`` that libjxl holds.
    private var given = 0

    /// - Parameters:
    ///   - readsPixels: Whether frames are decoded, instead of their headers only.
    ///   - showsProgress: Whether libjxl stops at each progressive pass.
    ///   - takesAll: Whether libjxl gets all input at once, without checks for cancellation.
    init(
        options: ImageDecodeOptions, readsPixels: Bool = true, showsProgress: Bool = false, takesAll: Bool = false
    ) throws(WebImageError) {
        guard let decoder = JxlDecoderCreate(nil) else { throw .outOfMemory(for: PixelSize(width: 0, height: 0)) }
        self.decoder = decoder
        self.options = options
        sliceByteCount = takesAll ? .max : Self.sliceByteCount
        var events = JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FRAME.rawValue
        if readsPixels { events |= JXL_DEC_FULL_IMAGE.rawValue }
        if showsProgress { events |= JXL_DEC_FRAME_PROGRESSION.rawValue }
        JxlDecoderSubscribeEvents(decoder, Int32(bitPattern: events))
        // The pixel pipeline applies orientation and alpha.
        JxlDecoderSetKeepOrientation(decoder, JXL_TRUE)
        JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE)
    }

    deinit { JxlDecoderDestroy(decoder) }

    /// Sets the input, which must not move.
    func setInput(_ bytes: UnsafeRawBufferPointer) {
        input = bytes
        given = 0
    }

    /// Returns the bytes that libjxl has not consumed; the next input must begin with them.
    func takeBackInput() -> UnsafeRawBufferPointer {
        let unused = JxlDecoderReleaseInput(decoder)
        return UnsafeRawBufferPointer(rebasing: input[(given - unused)...])
    }

    /// Continues to libjxl's next event.
    func next() throws(WebImageError) -> Event {
        while true {
            let status = JxlDecoderProcessInput(decoder)
            if status == JXL_DEC_NEED_MORE_INPUT {
                try options.checkCancellation()
                guard giveMore() else { return .moreBytesWanted }
                continue
            }
            if let event = Self.event(status) { return event }
            throw .damaged(.jpegXL, "libjxl cannot decode it")
        }
    }

    private func giveMore() -> Bool {
        let start = given - JxlDecoderReleaseInput(decoder)
        guard given < input.count else {
            // The unconsumed bytes stay available for ``takeBackInput()``.
            JxlDecoderSetInput(
                decoder, input.baseAddress.map { $0.assumingMemoryBound(to: UInt8.self) + start }, given - start)
            return false
        }
        given += min(input.count - given, sliceByteCount)
        let base = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return JxlDecoderSetInput(decoder, base.map { $0 + start }, given - start) == JXL_DEC_SUCCESS
    }

    private static func event(_ status: JxlDecoderStatus) -> Event? {
        switch status {
        case JXL_DEC_BASIC_INFO: .header
        case JXL_DEC_COLOR_ENCODING: .colors
        case JXL_DEC_FRAME: .frame
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER: .pixelsWanted
        case JXL_DEC_FRAME_PROGRESSION: .progress
        case JXL_DEC_FULL_IMAGE: .frameEnd
        case JXL_DEC_SUCCESS: .end
        default: nil
        }
    }
}

extension JXLDecompressor {
    /// Reads up to the colours.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded``.
    func readHeader() throws(WebImageError) -> JXLHeader {
        var header: JXLHeader?
        while true {
            switch try next() {
            case .header: header = try basicInfo()
            case .colors:
                guard let header else { throw .damaged(.jpegXL, "its header is missing") }
                return header
            case .moreBytesWanted: throw .truncated(.jpegXL)
            default: throw .damaged(.jpegXL, "it has no picture")
            }
        }
    }

    /// The header that was just read.
    func basicInfo() throws(WebImageError) -> JXLHeader {
        var info = JxlBasicInfo()
        guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else {
            throw .damaged(.jpegXL, "its header cannot be read")
        }
        let header = JXLHeader(info)
        try header.check(options.limits)
        return header
    }

    /// Skips pixels up to the next frame.
    ///
    /// - Returns: Its duration in ticks; nil after the last frame.
    func readFrameHeader() throws(WebImageError) -> Int? {
        while true {
            switch try next() {
            case .frame:
                var header = JxlFrameHeader()
                guard JxlDecoderGetFrameHeader(decoder, &header) == JXL_DEC_SUCCESS else {
                    throw .damaged(.jpegXL, "the header of a frame cannot be read")
                }
                return Int(header.duration)
            case .end: return nil
            case .moreBytesWanted: throw .truncated(.jpegXL)
            default: continue
            }
        }
    }
}
