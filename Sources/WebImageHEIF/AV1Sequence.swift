import FoundationEssentials
import WebImage

/// How large the frames of an AV1 stream may be (AV1 bitstream specification §5.3): as its sequences say, or its frames
/// themselves, which decoders follow even beyond that.
enum AV1Sequence {
    /// nil where no sequence says anything.
    static func largestSize(in bytes: Data) -> PixelSize? {
        var result: PixelSize?
        var sequence: AV1SequenceHeader?
        forEachUnit(of: bytes) { kind, unit in
            switch kind {
            case 1:
                sequence = AV1SequenceHeader(unit.prefix(1024))
                result = larger(result, sequence?.largestSize)
            // A frame's header, by itself, with its pixels, or once more.
            case 3, 6, 7:
                guard let sequence else { break }
                result = larger(result, AV1FrameHeader.ownSize(in: unit.prefix(1024), of: sequence))
            default: break
            }
        }
        return result
    }

    private static func larger(_ one: PixelSize?, _ other: PixelSize?) -> PixelSize? {
        other?.area ?? 0 > one?.area ?? 0 ? other : one
    }

    private static func forEachUnit(of bytes: Data, _ body: (_ kind: UInt8, Data) -> Void) {
        var rest = bytes
        while let head = rest.first {
            let (isExtended, hasLength) = (head & 4 != 0, head & 2 != 0)
            rest = rest.dropFirst(isExtended ? 2 : 1)
            let length = hasLength ? length(&rest) : rest.count
            body(head >> 3 & 15, rest.prefix(length))
            rest = rest.dropFirst(length)
        }
    }

    /// Seven bits a byte, the lowest first.
    private static func length(_ rest: inout Data) -> Int {
        var result = 0
        for place in 0..<8 {
            guard let byte = rest.popFirst() else { break }
            result |= Int(byte & 127) << (7 * place)
            if byte < 128 { break }
        }
        return result
    }
}
