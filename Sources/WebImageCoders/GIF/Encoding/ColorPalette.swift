import CPixels

/// Up to 256 opaque colours, with a search for the nearest.
struct ColorPalette {
    /// In memory order.
    let colors: [UInt32]

    /// All reds, then all greens, then all blues.
    private let channels: [Int32]
    private var known = [webimage_known_color](repeating: webimage_known_color(), count: knownCount)

    private static let knownCount = 1 << Int(WEBIMAGE_KNOWN_COLORS_BITS)

    init(_ colors: [UInt32]) {
        self.colors = colors
        channels =
            colors.map { Int32($0.channels.red) } + colors.map { Int32($0.channels.green) }
            + colors.map { Int32($0.channels.blue) }
    }

    /// The index of the nearest colour to an opaque one; the first of equals.
    mutating func nearestIndex(to color: UInt32) -> Int {
        Int(webimage_nearest_color(channels, colors.count, &known, color))
    }

    /// The indices of a row with error diffusion. `current` has the errors from the row above, `next` gets those for
    /// the row below.
    mutating func indices(
        of pixels: [UInt32], isBackwards: Bool, share: Float, current: inout [Float], next: inout [Float],
        transparentIndex: UInt8
    ) -> [UInt8] {
        var indices = [UInt8](repeating: 0, count: pixels.count)
        webimage_dither_row(
            pixels, pixels.count, isBackwards, share, &current, &next, channels, colors.count, &known, transparentIndex,
            &indices)
        return indices
    }
}
