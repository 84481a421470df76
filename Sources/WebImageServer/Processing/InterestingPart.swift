import WebImage
import WebImageCore

/// The part of a picture, of a given size, with most of what people look at: edges, colours of skin, and strong colours.
///
/// The measures are those of libvips' strategy "attention" and of smartcrop.js, on a picture of some thousand pixels.
struct InterestingPart {
    /// The upper left corner.
    let corner: (x: Int, y: Int)

    /// The longer side of the picture that is looked at.
    private static let side = 64.0

    init(of image: Image, size: PixelSize) {
        let whole = image.pixelSize
        let middle = Gravity.center.corner(of: size, in: whole, scale: 1)
        let shrink = min(1, Self.side / Double(max(whole.width, whole.height)))
        guard let interest = Interest(in: image, shrink: shrink) else {
            corner = middle
            return
        }
        func count(_ side: Int, of all: Int) -> Int { min(all, max(1, Int((Double(side) * shrink).rounded()))) }
        let part = PixelSize(
            width: count(size.width, of: interest.size.width), height: count(size.height, of: interest.size.height))
        let best = interest.bestCorner(of: part)
        func place(_ best: Int, _ free: Int, _ freeWhole: Int) -> Int {
            best == free / 2 ? freeWhole / 2 : Int((Double(best) / Double(free) * Double(freeWhole)).rounded())
        }
        corner = (
            place(best.x, interest.size.width - part.width, whole.width - size.width),
            place(best.y, interest.size.height - part.height, whole.height - size.height)
        )
    }
}

/// How interesting each pixel of a small picture is.
private struct Interest {
    let size: PixelSize
    /// The sums of all pixels above and to the left, with a row and a column of zeros before the first.
    private var sums: [Double]

    init?(in image: Image, shrink: Double) {
        let size = PixelSize(
            width: max(1, Int((Double(image.pixelSize.width) * shrink).rounded())),
            height: max(1, Int((Double(image.pixelSize.height) * shrink).rounded())))
        let small = image.resized(
            to: PointSize(width: Double(size.width), height: Double(size.height)), scaleMode: .fill, filter: .box)
        guard let colors = small?.colors(columns: 0..<size.width, rows: 0..<size.height) else { return nil }
        self.size = size
        sums = [Double](repeating: 0, count: (size.width + 1) * (size.height + 1))
        let lights = colors.map(\.light)
        for y in 0..<size.height {
            var row = 0.0
            for x in 0..<size.width {
                let color = colors[y * size.width + x]
                row += Self.edge(lights, x, y, size) * 5 + color.skin + color.saturation
                sums[index(x + 1, y + 1)] = sums[index(x + 1, y)] + row
            }
        }
    }

    /// The corner of the part with the largest sum, of equal ones the nearest to the middle.
    func bestCorner(of part: PixelSize) -> (x: Int, y: Int) {
        let (freeX, freeY) = (size.width - part.width, size.height - part.height)
        var best = (x: freeX / 2, y: freeY / 2)
        // A part elsewhere must be better by more than rounding.
        var most = sum(of: part, at: best) * (1 + 1e-9) + 1e-9
        for y in 0...freeY {
            for x in 0...freeX {
                let sum = sum(of: part, at: (x, y))
                if sum > most { (best, most) = ((x, y), sum) }
            }
        }
        return best
    }

    private func sum(of part: PixelSize, at corner: (x: Int, y: Int)) -> Double {
        let (right, bottom) = (corner.x + part.width, corner.y + part.height)
        return sums[index(right, bottom)] - sums[index(corner.x, bottom)] - sums[index(right, corner.y)]
            + sums[index(corner.x, corner.y)]
    }

    private func index(_ x: Int, _ y: Int) -> Int { y * (size.width + 1) + x }

    /// The difference to the four neighbours; those outside are like the pixel itself.
    private static func edge(_ lights: [Double], _ x: Int, _ y: Int, _ size: PixelSize) -> Double {
        func light(_ x: Int, _ y: Int) -> Double {
            lights[min(max(0, y), size.height - 1) * size.width + min(max(0, x), size.width - 1)]
        }
        return abs(4 * light(x, y) - light(x - 1, y) - light(x + 1, y) - light(x, y - 1) - light(x, y + 1))
    }
}

extension RGBAColor {
    private var channels: (red: Double, green: Double, blue: Double) {
        let factor = Double(alpha) / (255 * 255)
        return (Double(red) * factor, Double(green) * factor, Double(blue) * factor)
    }

    /// Luma (Rec. 709), 0 to 1.
    fileprivate var light: Double {
        let channels = channels
        return 0.2126 * channels.red + 0.7152 * channels.green + 0.0722 * channels.blue
    }

    /// 0 to 1; none for very dark and very light colours, which look gray.
    fileprivate var saturation: Double {
        let channels = channels
        let (most, least) = (
            max(channels.red, channels.green, channels.blue), min(channels.red, channels.green, channels.blue)
        )
        return light < 0.05 || light > 0.9 ? 0 : most - least
    }

    /// How near the hue is to that of skin, of any lightness: 0 to 1.
    fileprivate var skin: Double {
        let channels = channels
        let length = (channels.red * channels.red + channels.green * channels.green + channels.blue * channels.blue)
            .squareRoot()
        guard light > 0.1, light < 0.95, length > 0 else { return 0 }
        let (red, green, blue) = (
            channels.red / length - 0.78, channels.green / length - 0.57, channels.blue / length - 0.44
        )
        let distance = (red * red + green * green + blue * blue).squareRoot()
        return max(0, 1 - distance * 5)
    }
}
