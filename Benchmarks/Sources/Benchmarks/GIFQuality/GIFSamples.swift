import FoundationEssentials
import WebImage

/// Test pictures of one kind for GIF files.
protocol GIFSample: Sendable {
    static var name: String { get }
    static func frames() throws -> [Bitmap]
}

enum PhotoSample: GIFSample {
    static let name = "photo"
    static func frames() throws -> [Bitmap] { [try SamplePhoto(size: PixelSize(width: 640, height: 480)).bitmap()] }
}

/// All hues along one axis and their brightness along the other, continuous.
enum GradientSample: GIFSample {
    static let name = "gradient"

    static func frames() throws -> [Bitmap] {
        [
            try Bitmap.drawn(width: 512, height: 384) { x, y in
                let hue = Double(x) / 512 * 6
                let light = 1 - Double(y) / 384 * 0.8
                func channel(_ shift: Double) -> Double {
                    let place = (hue + shift).truncatingRemainder(dividingBy: 6)
                    return max(0, min(1, abs(place - 3) - 1)) * light * 255
                }
                return (channel(0), channel(4), channel(2))
            }
        ]
    }
}

/// Overlapping discs of plain colours with smooth edges: some thousand colours, nearly all of them rare.
enum DrawingSample: GIFSample {
    static let name = "drawing"

    private struct Disc {
        let x, y, radius: Double
        let color: (Double, Double, Double)
    }

    private static let discs = (1...60).map { index in
        func number(_ factor: Double) -> Double { (Double(index) * factor).truncatingRemainder(dividingBy: 1) }
        return Disc(
            x: number(0.6180339887) * 640, y: number(0.7548776662) * 480, radius: 12 + 60 * number(0.5698402910),
            color: (number(0.1356) * 255, number(0.3711) * 255, number(0.9137) * 255))
    }

    static func frames() throws -> [Bitmap] {
        [
            try Bitmap.drawn(width: 640, height: 480) { x, y in
                discs.reduce((250.0, 248, 240)) { under, disc in
                    let (width, height) = (Double(x) - disc.x, Double(y) - disc.y)
                    let distance = (width * width + height * height).squareRoot()
                    let share = max(0, min(1, disc.radius - distance + 0.5))
                    return (
                        under.0 + (disc.color.0 - under.0) * share, under.1 + (disc.color.1 - under.1) * share,
                        under.2 + (disc.color.2 - under.2) * share
                    )
                }
            }
        ]
    }
}

/// A camera pan over a photograph.
enum PanSample: GIFSample {
    static let name = "pan"
    static func frames() throws -> [Bitmap] {
        let photo = try SamplePhoto(size: PixelSize(width: 480, height: 360)).bitmap()
        return try (0..<12).map {
            try photo.part(left: $0 * 8, top: $0 * 8, size: PixelSize(width: 320, height: 240))
        }
    }
}

/// Discs that move over a gradient: most of each frame equals the frame before.
enum MovingSample: GIFSample {
    static let name = "moving"

    static func frames() throws -> [Bitmap] {
        try (0..<12).map { frame in
            try Bitmap.drawn(width: 320, height: 240) { x, y in
                let middle = (40 + Double(frame) * 20, 120 + 60 * (Double(frame) / 2 - 3) / 3)
                let distance =
                    ((Double(x) - middle.0) * (Double(x) - middle.0)
                    + (Double(y) - middle.1) * (Double(y) - middle.1)).squareRoot()
                let share = max(0, min(1, 30 - distance + 0.5))
                let ground = (40 + Double(x) / 320 * 120, 60 + Double(y) / 240 * 160, 180 - Double(x) / 320 * 90)
                let ball = (250 - distance * 4, 200 - distance * 3, 40 + distance * 2)
                return (
                    ground.0 + (ball.0 - ground.0) * share, ground.1 + (ball.1 - ground.1) * share,
                    ground.2 + (ball.2 - ground.2) * share
                )
            }
        }
    }
}

extension Bitmap {
    fileprivate static func drawn(
        width: Int, height: Int, _ color: (Int, Int) -> (Double, Double, Double)
    ) throws -> Bitmap {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue) = color(x, y)
                for channel in [red, green, blue, 255] { pixels.append(UInt8(max(0, min(255, channel.rounded())))) }
            }
        }
        return try Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
    }
}
