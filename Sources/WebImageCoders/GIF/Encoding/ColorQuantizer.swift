import Glibc

/// Finds a small palette for many colours, by least squares.
///
/// Boxes of colours are cut where their variance is largest, until there are enough; then each palette colour moves to
/// the mean of the colours nearest to it (Lloyd 1982), a few times.
enum ColorQuantizer {
    private static let refinementCount = 6

    /// - Parameter count: The maximum number of colours, 1 to 256.
    static func palette(of colors: ColorBins, count: Int) -> ColorPalette {
        var bins = colors.bins
        if colors.isExact, bins.count <= count { return ColorPalette(bins.map(\.pixel)) }
        var palette = ColorPalette(split(&bins, count: count).map(\.pixel))
        for _ in 0..<refinementCount { palette = refine(palette, bins) }
        return palette
    }

    /// The quality of a palette for some colours, and its cost.
    struct Fit {
        /// The mean squared distance of the colours from the palette, in units of one channel.
        var error: Float = 0
        /// The entropy of the indices (Shannon 1948).
        var bitsPerPixel: Float = 0
    }

    /// The quality of `palette` for `colors`.
    static func fit(of palette: ColorPalette, for colors: ColorBins) -> Fit {
        var palette = palette
        var sum: Float = 0
        var weight: Float = 0
        var uses = [Float](repeating: 0, count: palette.colors.count)
        for bin in colors.bins {
            let index = palette.nearestIndex(to: bin.pixel)
            uses[index] += bin.weight
            let nearest = palette.colors[index].channels
            let (red, green, blue) = (
                bin.red - Float(nearest.red), bin.green - Float(nearest.green), bin.blue - Float(nearest.blue)
            )
            sum += (red * red + green * green + blue * blue) * bin.weight
            weight += bin.weight
        }
        guard weight > 0 else { return Fit() }
        let bits = uses.lazy.filter { $0 > 0 }.map { -$0 / weight * log2f($0 / weight) }
        return Fit(error: sum / weight, bitsPerPixel: bits.reduce(0, +))
    }

    private static func split(_ bins: inout [ColorBins.Bin], count: Int) -> [ColorBins.Bin] {
        guard !bins.isEmpty else { return [] }
        var boxes = [ColorBox(bins, bins.indices)]
        while boxes.count < count {
            guard let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }),
                let cut = boxes[widest].cut(&bins)
            else { break }
            let range = boxes[widest].range
            boxes[widest] = ColorBox(bins, range.lowerBound..<cut)
            boxes.append(ColorBox(bins, cut..<range.upperBound))
        }
        return boxes.map(\.mean)
    }

    private static func refine(_ palette: ColorPalette, _ bins: [ColorBins.Bin]) -> ColorPalette {
        var palette = palette
        var sums = [ColorBins.Bin](
            repeating: ColorBins.Bin(red: 0, green: 0, blue: 0, weight: 0), count: palette.colors.count)
        for bin in bins {
            let index = palette.nearestIndex(to: bin.pixel)
            sums[index].red += bin.red * bin.weight
            sums[index].green += bin.green * bin.weight
            sums[index].blue += bin.blue * bin.weight
            sums[index].weight += bin.weight
        }
        return ColorPalette(
            zip(palette.colors, sums).map { color, sum in
                guard sum.weight > 0 else { return color }
                let weight = sum.weight
                return ColorBins.Bin(
                    red: sum.red / weight, green: sum.green / weight, blue: sum.blue / weight, weight: weight
                ).pixel
            })
    }
}

/// Adjacent bins of an array, and their variance.
private struct ColorBox {
    let range: Range<Int>
    let mean: ColorBins.Bin
    /// The sum of squared distances from the mean, along the channel with the largest one.
    let spread: Float
    private let channel: KeyPath<ColorBins.Bin, Float>

    init(_ bins: [ColorBins.Bin], _ range: Range<Int>) {
        var sum = (red: Double(0), green: Double(0), blue: Double(0), weight: Double(0))
        var squares = (red: Double(0), green: Double(0), blue: Double(0))
        for bin in bins[range] {
            let (red, green, blue, weight) = (Double(bin.red), Double(bin.green), Double(bin.blue), Double(bin.weight))
            sum = (sum.red + red * weight, sum.green + green * weight, sum.blue + blue * weight, sum.weight + weight)
            squares.red += red * red * weight
            squares.green += green * green * weight
            squares.blue += blue * blue * weight
        }
        let weight = max(sum.weight, 1e-9)
        let spreads = [
            squares.red - sum.red * sum.red / weight, squares.green - sum.green * sum.green / weight,
            squares.blue - sum.blue * sum.blue / weight,
        ]
        let channels = [\ColorBins.Bin.red, \ColorBins.Bin.green, \ColorBins.Bin.blue]
        let widest = spreads.indices.max { spreads[$0] < spreads[$1] } ?? 0
        self.range = range
        spread = range.count > 1 ? Float(max(0, spreads[widest])) : 0
        channel = channels[widest]
        mean = ColorBins.Bin(
            red: Float(sum.red / weight), green: Float(sum.green / weight), blue: Float(sum.blue / weight),
            weight: Float(sum.weight))
    }

    /// Moves the bins below the mean to the front; returns the start of the others, nil when the box cannot be cut.
    func cut(_ bins: inout [ColorBins.Bin]) -> Int? {
        guard spread > 0 else { return nil }
        let limit = mean[keyPath: channel]
        let channel = channel
        let cut = bins[range].partition { $0[keyPath: channel] > limit }
        return cut > range.lowerBound && cut < range.upperBound ? cut : nil
    }
}

extension ColorBins.Bin {
    /// The nearest colour with integer channels.
    var pixel: UInt32 {
        .pixel(red: Int(red.rounded()), green: Int(green.rounded()), blue: Int(blue.rounded()))
    }
}
