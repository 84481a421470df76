import FoundationEssentials
import WebImage

/// A synthetic picture that compresses like a photograph: hills of fractal noise under a sky, with sensor noise.
/// Deterministic for a size.
struct SamplePhoto {
    let size: PixelSize

    static let twelveMegapixels = SamplePhoto(size: PixelSize(width: 4000, height: 3000))

    func jpeg(quality: Double = 0.87) throws -> Data { try encoded(to: .jpeg, quality: quality) }

    func encoded(
        to format: ImageFormat, by coder: any ImageCoder = ImageCodersManager.shared, quality: Double = 0.8
    ) throws -> Data {
        var options = ImageEncodeOptions()
        options.compressionQuality = quality
        return try coder.encode(Image(bitmap: bitmap()), to: format, options: options)
    }

    func bitmap() throws -> Bitmap { try Bitmap(size: size, pixels: pixels()) }

    private func pixels() -> [UInt8] {
        var noise = Noise()
        var result = [UInt8](repeating: 255, count: size.width * size.height * 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let color = color(x, y, &noise)
                let offset = (y * size.width + x) * 4
                result[offset] = color.0
                result[offset + 1] = color.1
                result[offset + 2] = color.2
            }
        }
        return result
    }

    private func color(_ x: Int, _ y: Int, _ noise: inout Noise) -> (UInt8, UInt8, UInt8) {
        let horizontal = Float(x) / Float(size.height)
        let vertical = Float(y) / Float(size.height)
        let ridge = 0.45 + 0.2 * noise.fractal(horizontal * 3, 7) - 0.1
        let texture = noise.fractal(horizontal * 24, vertical * 24)
        let grain = noise.grain() * 6
        let light: (Float, Float, Float) =
            vertical < ridge
            ? (120 + 90 * vertical, 160 + 60 * vertical, 230 - 20 * vertical)
            : (60 + 110 * texture, 80 + 90 * texture, 40 + 60 * texture)
        func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value + grain))) }
        return (byte(light.0), byte(light.1), byte(light.2))
    }
}

/// Value noise on a hashed lattice, and cheap grain.
private struct Noise {
    private var state: UInt32 = 12345

    mutating func grain() -> Float {
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(state >> 8) / Float(1 << 24) - 0.5
    }

    /// Five octaves, 0 to 1.
    func fractal(_ x: Float, _ y: Float) -> Float {
        var sum: Float = 0
        var weight: Float = 0.5
        var scale: Float = 1
        for _ in 0..<5 {
            sum += weight * smooth(x * scale, y * scale)
            weight /= 2
            scale *= 2
        }
        return sum
    }

    private func smooth(_ x: Float, _ y: Float) -> Float {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (u, v) = (ease(x - left), ease(y - top))
        let (column, row) = (Int32(left), Int32(top))
        let upper = mix(lattice(column, row), lattice(column + 1, row), u)
        let lower = mix(lattice(column, row + 1), lattice(column + 1, row + 1), u)
        return mix(upper, lower, v)
    }

    private func lattice(_ x: Int32, _ y: Int32) -> Float {
        var hash = UInt32(bitPattern: x &* 374_761_393 &+ y &* 668_265_263)
        hash = (hash ^ (hash >> 13)) &* 1_274_126_177
        return Float((hash ^ (hash >> 16)) >> 8) / Float(1 << 24)
    }

    private func ease(_ t: Float) -> Float { t * t * (3 - 2 * t) }
    private func mix(_ a: Float, _ b: Float, _ t: Float) -> Float { a + (b - a) * t }
}
