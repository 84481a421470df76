/// Which colours pictures have, and how often: exactly as long as they are few, else by the 6 upper bits of each channel.
struct ColorHistogram {
    /// Some colours that are taken for one.
    struct Bin {
        var red: Float
        var green: Float
        var blue: Float
        /// Pixels.
        var weight: Float
    }

    private struct Sums {
        var red = 0
        var green = 0
        var blue = 0
        var count = 0
    }

    private static let exactCount = 256
    private static let binCount = 1 << 18

    /// Opaque colours in memory order; nil when there are too many of them.
    private var exact: [UInt32: Int]? = [:]
    private var sums: [Sums] = []

    /// All colours where there are no more than 256.
    var exactColors: [UInt32]? { exact.map { $0.keys.sorted() } }

    mutating func add(_ color: UInt32) {
        if exact != nil {
            exact?[color, default: 0] += 1
            if let colors = exact, colors.count > Self.exactCount { spread(colors) }
        } else {
            addToBins(color, 1)
        }
    }

    private mutating func spread(_ colors: [UInt32: Int]) {
        exact = nil
        sums = [Sums](repeating: Sums(), count: Self.binCount)
        for (color, count) in colors { addToBins(color, count) }
    }

    private mutating func addToBins(_ color: UInt32, _ count: Int) {
        let (red, green, blue) = color.channels
        let index = (red >> 2) << 12 | (green >> 2) << 6 | blue >> 2
        sums[index].red += red * count
        sums[index].green += green * count
        sums[index].blue += blue * count
        sums[index].count += count
    }

    /// The colours there are, in an order that depends on nothing else.
    var bins: [Bin] {
        if let exact {
            return exact.sorted { $0.key < $1.key }.map { color, count in
                let (red, green, blue) = color.channels
                return Bin(red: Float(red), green: Float(green), blue: Float(blue), weight: Float(count))
            }
        }
        return sums.lazy.filter { $0.count > 0 }.map { sum in
            let count = Float(sum.count)
            return Bin(
                red: Float(sum.red) / count, green: Float(sum.green) / count, blue: Float(sum.blue) / count,
                weight: count)
        }
    }
}

extension UInt32 {
    /// Red, green and blue of a pixel in memory order.
    var channels: (red: Int, green: Int, blue: Int) {
        let word = UInt32(littleEndian: self)
        return (Int(word & 0xFF), Int(word >> 8 & 0xFF), Int(word >> 16 & 0xFF))
    }

    /// An opaque pixel in memory order.
    static func pixel(red: Int, green: Int, blue: Int) -> UInt32 {
        UInt32(littleEndian: UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000)
    }
}
