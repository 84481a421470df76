import WebImageCore
import WebImageTesting

/// Pictures made in memory for the tests of transformers.
enum TestPicture {
    /// Random pixels; premultiplied ones keep the rule that no colour exceeds its alpha.
    static func noise(
        _ size: PixelSize, format: PixelFormat = .rgba8Premultiplied, isOpaque: Bool = false, seed: UInt64 = 5
    ) throws -> Bitmap {
        var random = SeededGenerator(seed: seed)
        var pixels: [UInt8] = []
        for _ in 0..<size.area {
            let alpha: UInt8 = isOpaque ? 255 : .random(in: 0...255, using: &random)
            let highest = format == .rgba8Premultiplied ? alpha : 255
            pixels += (0..<3).map { _ in UInt8.random(in: 0...highest, using: &random) } + [alpha]
        }
        return try Bitmap(size: size, format: format, pixels: pixels)
    }

    /// Waves of three colours, as in a photograph: no detail too sharp for a filter.
    static func smooth(_ size: PixelSize) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (across, down) = (abs((x * 5) % 510 - 255), abs((y * 7) % 510 - 255))
                pixels += [UInt8(across), UInt8(down), UInt8((across + down) / 2), 255]
            }
        }
        return try Bitmap(size: size, pixels: pixels)
    }

    /// One colour everywhere.
    static func plain(_ size: PixelSize, _ pixel: [UInt8]) throws -> Bitmap {
        try Bitmap(size: size, pixels: Array(repeating: pixel, count: size.area).flatMap(\.self))
    }
}

extension Bitmap {
    /// The rows of a rectangle, one after the other.
    func bytes(x: Range<Int>, y: Range<Int>) -> [UInt8] {
        withUnsafeBytes { bytes in
            y.flatMap { row -> Slice<UnsafeRawBufferPointer> in
                let start = row * bytesPerRow
                return bytes[start + x.lowerBound * 4..<start + x.upperBound * 4]
            }
        }
    }
}
