import FoundationEssentials
import WebImage

/// The maximum size of the frames of an AV1 stream (AV1 bitstream specification §5.3): from its sequence headers, and
/// from the frame headers, which decoders follow even beyond that maximum.
enum AV1Sequence {
    /// nil without a sequence header.
    static func largestSize(in bytes: Data) -> PixelSize? {
        var result: PixelSize?
        var sequence: AV1SequenceHeader?
        forEachUnit(of: bytes) { kind, unit in
            switch kind {
            case 1:
                sequence = AV1SequenceHeader(unit.prefix(1024))
                result = larger(result, sequence?.largestSize)
            // A frame header alone, with its tiles, or repeated.
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

    /// A LEB128 number: seven bits a byte, the lowest first.
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
