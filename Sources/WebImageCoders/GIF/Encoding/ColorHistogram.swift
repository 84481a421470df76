/// The colours of pictures and their frequencies: exact as long as there are few, otherwise by the upper 6 bits of each
/// channel.
struct ColorHistogram {
    private struct Sums {
        var red = 0
        var green = 0
        var blue = 0
        var count = 0
    }

    private static let binCount = 1 << 18

    private var exact = ExactColorCount()
    private var sums: [Sums] = []

    mutating func add(_ color: UInt32, times count: Int = 1) {
        guard sums.isEmpty else { return addToBins(color, count) }
        if !exact.add(color, times: count) {
            sums = [Sums](repeating: Sums(), count: Self.binCount)
            for (color, count) in exact.colors { addToBins(color, count) }
            exact = ExactColorCount()
            addToBins(color, count)
        }
    }

    private mutating func addToBins(_ color: UInt32, _ count: Int) {
        let (red, green, blue) = color.channels
        let index = (red >> 2) << 12 | (green >> 2) << 6 | blue >> 2
        sums[index].red += red * count
        sums[index].green += green * count
        sums[index].blue += blue * count
        sums[index].count += count
    }

    /// The colours, in a deterministic order.
    var colors: ColorBins {
        guard sums.isEmpty else {
            let bins = sums.lazy.filter { $0.count > 0 }.map { sum in
                let count = Float(sum.count)
                return ColorBins.Bin(
                    red: Float(sum.red) / count, green: Float(sum.green) / count, blue: Float(sum.blue) / count,
                    weight: count)
            }
            return ColorBins(bins: Array(bins), isExact: false)
        }
        let bins = exact.colors.sorted { $0.color < $1.color }.map { color, count in
            let (red, green, blue) = color.channels
            return ColorBins.Bin(red: Float(red), green: Float(green), blue: Float(blue), weight: Float(count))
        }
        return ColorBins(bins: bins, isExact: true)
    }
}

/// The distinct colours of pictures; much smaller than the histogram that counted them.
struct ColorBins {
    /// Colours that are counted as one.
    struct Bin {
        var red: Float
        var green: Float
        var blue: Float
        /// The number of pixels.
        var weight: Float
    }

    let bins: [Bin]
    /// Whether each bin is one colour.
    let isExact: Bool

    var pixelCount: Float { bins.reduce(0) { $0 + $1.weight } }
}

/// A table of exact colours and their frequencies, up to a maximum.
private struct ExactColorCount {
    private struct Slot {
        /// 0, which is not opaque, for an empty slot.
        var color: UInt32 = 0
        var count: UInt32 = 0
    }

    /// Pictures with more colours have them everywhere, so merging neighbouring colours makes no difference.
    private static let maximumCount = 1 << 15

    /// A power of two, at least twice the number of colours.
    private var slots = [Slot](repeating: Slot(), count: 1 << 9)
    private var count = 0

    /// Counts an opaque colour; false when the table is full.
    mutating func add(_ color: UInt32, times number: Int) -> Bool {
        let slot = slot(of: color)
        if slots[slot].color == 0 {
            guard count < Self.maximumCount else { return false }
            count += 1
            slots[slot].color = color
        }
        // The counter saturates.
        slots[slot].count = UInt32(clamping: Int(slots[slot].count) + number)
        if count * 2 > slots.count { grow() }
        return true
    }

    var colors: [(color: UInt32, count: Int)] {
        slots.filter { $0.color != 0 }.map { (color: $0.color, count: Int($0.count)) }
    }

    private func slot(of color: UInt32) -> Int {
        var slot = Int(color &* 2_654_435_761 >> 12) & (slots.count - 1)
        while slots[slot].color != 0, slots[slot].color != color { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for entry in old where entry.color != 0 { slots[slot(of: entry.color)] = entry }
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
