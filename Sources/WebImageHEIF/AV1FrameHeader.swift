import FoundationEssentials
import WebImage

/// The size that an AV1 frame names for itself (AV1 bitstream specification §5.9.2, §5.9.5).
///
/// Its sequence says how large frames are at most, and dav1d 1.0 decodes larger ones all the same.
struct AV1FrameHeader {
    private enum Kind: Int {
        case key, inter, intraOnly, switching
    }

    private let sequence: AV1SequenceHeader
    private var reader: BitReader

    /// nil where it names none; where that is not looked for, the largest that it can name.
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
        // Whether probabilities are kept as they are.
        reader.skip(1)
        if isChosen(sequence.screenContent) { _ = isChosen(sequence.integerMotion) }
        reader.skip(sequence.frameNumberLength)
        guard kind == .switching || reader.bit() else { return nil }
        reader.skip(sequence.orderHintLength)
        // Others may take their size from a frame before; and which of the sizes in a buffer's schedule there are depends on
        // more than is known here.
        guard kind == .key || kind == .intraOnly else { return largestPossible }
        if sequence.hasDecoderModel, reader.bit() { return largestPossible }
        skipReferences(isAll: kind == .key && isShown, isResilient: isResilient)
        return PixelSize(
            width: reader.bits(sequence.widthLength) + 1, height: reader.bits(sequence.heightLength) + 1)
    }

    private mutating func isChosen(_ choice: AV1SequenceHeader.Choice) -> Bool {
        choice == .yes || choice == .byFrame && reader.bit()
    }

    /// Which of eight frames this one takes the place of.
    private mutating func skipReferences(isAll: Bool, isResilient: Bool) {
        let isEach = isAll || reader.bits(8) == 255
        if !isEach, isResilient { reader.skip(8 * sequence.orderHintLength) }
    }

    private var largestPossible: PixelSize {
        PixelSize(width: 1 << sequence.widthLength, height: 1 << sequence.heightLength)
    }
}
