import Glibc
import WebImage

/// Pictures that reveal a shift, a seam, a mirrored part and a wrong colour: waves of colour with letters.
enum SamplePicture {
    /// - Parameter alpha: 1 for an opaque picture; less for one that becomes more transparent towards its right side.
    static func make(_ seed: Int, width: Int, height: Int, alpha: Double = 1) throws(WebImageError) -> Bitmap {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
                let opacity = alpha == 1 ? 1 : alpha * (1 - u / 2)
                var color = waves(u, v, seed)
                let ink = ink(u, v) * 0.8
                color = (mix(color.0, color.2 / 4, ink), mix(color.1, color.0 / 4, ink), mix(color.2, color.1 / 4, ink))
                pixels += [color.0, color.1, color.2].map { UInt8(($0 * opacity).rounded()) }
                pixels.append(UInt8((255 * opacity).rounded()))
            }
        }
        return try Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
    }

    private static func waves(_ u: Double, _ v: Double, _ seed: Int) -> (Double, Double, Double) {
        let phase = Double(seed) * 1.7
        func wave(_ value: Double) -> Double { 127.5 + 110 * sin(value + phase) }
        return (wave(u * 9 + v * 3), wave(v * 11 - u * 2 + 2), wave((u + v) * 7 + 4))
    }

    private static func mix(_ a: Double, _ b: Double, _ share: Double) -> Double { a + (b - a) * share }

    /// The letter F, which every mirroring changes, twice in each direction. Its edges are soft, because renderers
    /// reduce sharp ones differently.
    private static func ink(_ u: Double, _ v: Double) -> Double {
        let x = (u * 2).truncatingRemainder(dividingBy: 1)
        let y = (v * 2).truncatingRemainder(dividingBy: 1)
        let stem = within(0.25...0.4, x) * within(0.2...0.8, y)
        let upper = within(0.25...0.7, x) * within(0.2...0.34, y)
        let middle = within(0.25...0.6, x) * within(0.46...0.58, y)
        return max(stem, upper, middle)
    }

    private static func within(_ range: ClosedRange<Double>, _ value: Double) -> Double {
        let softness = 0.1
        let inside = min(value - range.lowerBound, range.upperBound - value)
        let share = min(1, max(0, inside / softness + 0.5))
        return share * share * (3 - 2 * share)
    }
}
