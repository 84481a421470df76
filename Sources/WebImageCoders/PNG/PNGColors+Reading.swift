import WebImageCore

extension PNGColors {
    /// Reads a chunk about colours; skips one of the wrong length, as browsers do.
    mutating func read(_ chunk: inout ByteReader, of type: FourCharacterCode) throws(WebImageError) {
        switch (type, chunk.remaining) {
        case ("cICP", 4): try readCodePoints(&chunk)
        case ("sRGB", 1): hasSRGB = true
        case ("gAMA", 4): gamma = try chunk.bigEndian(bytes: 4)
        case ("cHRM", 32):
            var numbers: [Int] = []
            while chunk.remaining > 0 { numbers.append(try chunk.bigEndian(bytes: 4)) }
            chromaticities = numbers
        case ("cLLI", 8): maximumContentLight = try Self.luminance(&chunk)
        case ("mDCV", 24):
            try chunk.skip(16)
            masteringLuminance = try Self.luminance(&chunk)
        default: break
        }
    }

    /// PNG third edition §11.3.2.6. Only full-range RGB is supported; other combinations are for video.
    private mutating func readCodePoints(_ chunk: inout ByteReader) throws(WebImageError) {
        let primaries = Int(try chunk.byte())
        let transfer = Int(try chunk.byte())
        let matrix = try chunk.byte()
        let isFullRange = try chunk.byte() == 1
        guard matrix == 0, isFullRange else { return }
        codePoints = CodePoints(primaries: primaries, transfer: transfer)
    }

    /// In units of 0.0001 cd/m²; nil for 0, which means unknown.
    private static func luminance(_ chunk: inout ByteReader) throws(WebImageError) -> Double? {
        let count = try chunk.bigEndian(bytes: 4)
        return count > 0 ? Double(count) / 10_000 : nil
    }
}
