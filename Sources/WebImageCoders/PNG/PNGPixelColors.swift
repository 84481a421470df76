/// The meaning of a picture's samples: the colours of a palette or of gray levels, and the transparent colour.
struct PNGPixelColors {
    /// The pixel for each value of a single channel, red in the lowest byte. Missing palette entries are black, as in
    /// libpng.
    private(set) var table = [UInt32](repeating: 0xFF00_0000, count: 256)
    /// The transparent colour of RGB, red in the lowest byte; all bits set for none.
    private(set) var transparentColor = UInt32.max

    /// nil when the chunks do not fit the header, which is left to libpng.
    init?(_ header: PNGHeader, _ walk: PNGChunkWalk, _ bytes: UnsafeRawBufferPointer) {
        let transparency = walk.transparency.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        switch header.colorType {
        case .grayscale:
            guard walk.palette == nil, setGrays(bitDepth: header.bitDepth, transparency) else { return nil }
        case .palette:
            guard let palette = walk.palette, setPalette(bytes[palette], header.bitDepth, transparency) else {
                return nil
            }
        case .rgb:
            guard let transparency else { return }
            // Three 16-bit numbers; for 8-bit samples the high byte must be 0.
            guard transparency.count == 6, [0, 2, 4].allSatisfy({ transparency[$0] == 0 }) else { return nil }
            transparentColor = UInt32(transparency[1]) | UInt32(transparency[3]) << 8 | UInt32(transparency[5]) << 16
        case .grayscaleAlpha, .rgba:
            let hasOddPalette = header.colorType == .grayscaleAlpha && walk.palette != nil
            guard transparency == nil, !hasOddPalette else { return nil }
        }
    }

    private mutating func setGrays(bitDepth: Int, _ transparency: UnsafeRawBufferPointer?) -> Bool {
        let highest = (1 << bitDepth) - 1
        for value in 0...highest { table[value] = 0xFF00_0000 | UInt32(value * 255 / highest) * 0x010101 }
        guard let transparency else { return true }
        guard transparency.count == 2 else { return false }
        let key = Int(transparency[0]) << 8 | Int(transparency[1])
        // No encoder writes a key that no sample can have.
        guard key <= highest else { return false }
        table[key] &= 0xFFFFFF
        return true
    }

    private mutating func setPalette(
        _ palette: Slice<UnsafeRawBufferPointer>, _ bitDepth: Int, _ transparency: UnsafeRawBufferPointer?
    ) -> Bool {
        let count = palette.count / 3
        guard count <= 1 << bitDepth, transparency.map({ (1...count).contains($0.count) }) ?? true else { return false }
        for (index, byte) in palette.enumerated() { table[index / 3] |= UInt32(byte) << UInt32(index % 3 * 8) }
        for (index, alpha) in (transparency ?? .init(start: nil, count: 0)).enumerated() {
            table[index] = table[index] & 0xFFFFFF | UInt32(alpha) << 24
        }
        return true
    }
}

extension PNGHeader.ColorType {
    /// Samples of one pixel.
    var channelCount: Int {
        switch self {
        case .grayscale, .palette: 1
        case .grayscaleAlpha: 2
        case .rgb: 3
        case .rgba: 4
        }
    }
}
