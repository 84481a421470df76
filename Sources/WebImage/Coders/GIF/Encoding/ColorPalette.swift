import CPixels

/// Up to 256 opaque colours, with a search for the nearest.
struct ColorPalette {
    /// In memory order.
    let colors: [UInt32]

    private var reds: [Int32]
    private var greens: [Int32]
    private var blues: [Int32]
    /// A cache of lookups: pictures repeat their colours.
    private var known: [Lookup]

    private struct Lookup {
        /// 0, which is not opaque, for an empty slot.
        var color: UInt32 = 0
        var index: UInt32 = 0
    }

    private static let knownCount = 1 << 13

    init(_ colors: [UInt32]) {
        self.colors = colors
        reds = colors.map { Int32($0.channels.red) }
        greens = colors.map { Int32($0.channels.green) }
        blues = colors.map { Int32($0.channels.blue) }
        known = [Lookup](repeating: Lookup(), count: Self.knownCount)
    }

    /// The index of the nearest colour to an opaque one; the first of equals.
    mutating func nearestIndex(to color: UInt32) -> Int {
        let slot = Int((color &* 2_654_435_761) >> 19)
        if known[slot].color == color { return Int(known[slot].index) }
        let (red, green, blue) = color.channels
        let index = webimage_nearest_color(
            reds, greens, blues, colors.count, Int32(red), Int32(green), Int32(blue))
        known[slot] = Lookup(color: color, index: UInt32(index))
        return Int(index)
    }
}
