import FoundationEssentials
import WebImage

/// The frame size in the header of an AV1 frame (AV1 bitstream specification §5.9.2, §5.9.5).
///
/// The sequence header has the maximum size of frames, but dav1d 1.0 decodes larger ones.
struct AV1FrameHeader {
    private enum Kind: Int {
        case key, inter, intraOnly, switching
    }

    private let sequence: AV1SequenceHeader
    private var reader: BitReader

    /// nil where the frame has no size of its own; where this parser gives up, the largest size that it can have.
    static func ownSize(in header: Data, of sequence: AV1SequenceHeader) -> PixelSize? {
        guard !sequence.isReduced else { return nil }
        var frame = AV1FrameHeader(sequence: sequence, reader: BitReader(header))
        return frame.ownSize()
    }

    private mutating func ownSize() -> PixelSize? {
        let isShownAgain = reader.bit()
        guard !isShownAgain, let kind = Kind(rawValue: reader.bits(2)) else { return nil }
        let isShown = reader.bit()
        if isShown { reader.skip(sequence.presentationTimeLength) } else { reader.skip(1) }
        let isResilient = kind == .switching || kind == .key && isShown || reader.bit()
        // Whether the probabilities are kept.
        reader.skip(1)
        if isChosen(sequence.screenContent) { _ = isChosen(sequence.integerMotion) }
        reader.skip(sequence.frameNumberLength)
        guard kind == .switching || reader.bit() else { return nil }
        reader.skip(sequence.orderHintLength)
        // Other frames may take their size from a reference frame; which sizes the reference buffers have is not known
        // here.
        guard kind == .key || kind == .intraOnly else { return largestPossible }
        if sequence.hasDecoderModel, reader.bit() { return largestPossible }
        skipReferences(isAll: kind == .key && isShown, isResilient: isResilient)
        return PixelSize(
            width: reader.bits(sequence.widthLength) + 1, height: reader.bits(sequence.heightLength) + 1)
    }

    private mutating func isChosen(_ choice: AV1SequenceHeader.Choice) -> Bool {
        choice == .yes || choice == .byFrame && reader.bit()
    }

    /// The flags for which of the eight reference frames this one replaces.
    private mutating func skipReferences(isAll: Bool, isResilient: Bool) {
        let isEach = isAll || reader.bits(8) == 255
        if !isEach, isResilient { reader.skip(8 * sequence.orderHintLength) }
    }

    private var largestPossible: PixelSize {
        PixelSize(width: 1 << sequence.widthLength, height: 1 << sequence.heightLength)
    }
}
