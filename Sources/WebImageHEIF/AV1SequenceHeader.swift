import FoundationEssentials
import WebImage

/// The part of an AV1 sequence header that frame sizes depend on (AV1 bitstream specification §5.5).
struct AV1SequenceHeader {
    /// Frames have no size of their own then.
    let isReduced: Bool
    /// The maximum size, and the size of a frame without its own.
    let largestSize: PixelSize
    /// The number of bits of a frame's own width.
    let widthLength: Int
    let heightLength: Int
    /// The number of bits of a presentation time; 0 for none.
    private(set) var presentationTimeLength = 0
    /// Whether frames may contain buffer removal times.
    private(set) var hasDecoderModel = false
    /// The number of bits of a frame number; 0 for none.
    private(set) var frameNumberLength = 0
    private(set) var screenContent = Choice.byFrame
    private(set) var integerMotion = Choice.byFrame
    private(set) var orderHintLength = 0

    enum Choice {
        case no, yes, byFrame
    }

    init(_ header: Data) {
        var reader = BitReader(header)
        // The profile, and the flag for still pictures.
        reader.skip(4)
        isReduced = reader.bit()
        var timing = Timing()
        if isReduced { reader.skip(5) } else { timing = Timing(&reader) }
        (widthLength, heightLength) = (reader.bits(4) + 1, reader.bits(4) + 1)
        largestSize = PixelSize(width: reader.bits(widthLength) + 1, height: reader.bits(heightLength) + 1)
        presentationTimeLength = timing.isEqual ? 0 : timing.presentationTimeLength
        hasDecoderModel = timing.delayLength != nil
        if !isReduced { readTools(&reader) }
    }

    private mutating func readTools(_ reader: inout BitReader) {
        if reader.bit() {
            let (difference, number) = (reader.bits(4) + 2, reader.bits(3) + 1)
            frameNumberLength = difference + number
        }
        // Flags of superblocks, filters and prediction modes.
        reader.skip(7)
        let hasOrder = reader.bit()
        if hasOrder { reader.skip(2) }
        screenContent = choice(&reader)
        if screenContent != .no { integerMotion = choice(&reader) }
        if hasOrder { orderHintLength = reader.bits(3) + 1 }
    }

    private func choice(_ reader: inout BitReader) -> Choice {
        if reader.bit() { return .byFrame }
        return reader.bit() ? .yes : .no
    }

    /// Timing information, and the parameters of each operating point.
    private struct Timing {
        var isEqual = false
        var presentationTimeLength = 0
        /// nil without a decoder model.
        var delayLength: Int?

        init() {}

        init(_ reader: inout BitReader) {
            if reader.bit() { readModel(&reader) }
            let hasDelays = reader.bit()
            for _ in 0...reader.bits(5) {
                reader.skip(12)
                if reader.bits(5) > 7 { reader.skip(1) }
                if let delayLength, reader.bit() { reader.skip(2 * delayLength + 1) }
                if hasDelays, reader.bit() { reader.skip(4) }
            }
        }

        private mutating func readModel(_ reader: inout BitReader) {
            reader.skip(64)
            isEqual = reader.bit()
            if isEqual { _ = reader.exponentialGolomb() }
            guard reader.bit() else { return }
            delayLength = reader.bits(5) + 1
            reader.skip(37)
            presentationTimeLength = reader.bits(5) + 1
        }
    }
}
