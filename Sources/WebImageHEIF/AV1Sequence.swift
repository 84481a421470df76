import FoundationEssentials
import WebImage

/// The headers of AV1 pictures that say how large frames may be (AV1 bitstream specification §5.5).
enum AV1Sequence {
    static func largestSize(in bytes: Data) -> PixelSize? {
        var (rest, result): (Data, PixelSize?) = (bytes, nil)
        while let head = rest.first {
            let (isExtended, hasLength) = (head & 4 != 0, head & 2 != 0)
            rest = rest.dropFirst(isExtended ? 2 : 1)
            let length = hasLength ? length(&rest) : rest.count
            if head >> 3 & 15 == 1 {
                let size = size(rest.prefix(min(length, 1024)))
                if size.area > result?.area ?? 0 { result = size }
            }
            rest = rest.dropFirst(length)
        }
        return result
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

    private static func size(_ header: Data) -> PixelSize {
        var reader = BitReader(header)
        // Profile, and whether it is a still picture.
        reader.skip(4)
        if reader.bit() {
            reader.skip(5)
        } else {
            skipTiming(&reader)
        }
        let (width, height) = (reader.bits(4) + 1, reader.bits(4) + 1)
        return PixelSize(width: reader.bits(width) + 1, height: reader.bits(height) + 1)
    }

    private static func skipTiming(_ reader: inout BitReader) {
        var delayLength: Int?
        if reader.bit() {
            reader.skip(64)
            if reader.bit() { _ = reader.exponentialGolomb() }
            if reader.bit() {
                delayLength = reader.bits(5) + 1
                reader.skip(42)
            }
        }
        let hasDelays = reader.bit()
        for _ in 0...reader.bits(5) {
            reader.skip(12)
            if reader.bits(5) > 7 { reader.skip(1) }
            if let delayLength, reader.bit() { reader.skip(2 * delayLength + 1) }
            if hasDelays, reader.bit() { reader.skip(4) }
        }
    }
}
