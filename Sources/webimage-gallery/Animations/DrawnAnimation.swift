import FoundationEssentials
import WebImage

/// An animation that this program draws and encodes itself.
nonisolated struct DrawnAnimation: Sendable {
    let name: String
    let format: ImageFormat
    let frameCount: Int
    /// The duration of each frame.
    let duration: Duration
    /// The drawing of each frame.
    let drawing: Drawing

    /// The colour of a point at a time, which goes from 0 to 1; points go from -1 to 1, y only to ± 0.75.
    typealias Drawing = @Sendable (_ point: SIMD2<Float>, _ time: Float) -> Ink

    static let size = PixelSize(width: 256, height: 192)

    /// Its place on the server.
    var path: String { "/animations/\(name.lowercased()).\(format.fileExtension ?? "")" }

    /// The file; nil where it cannot be written.
    func file(size: PixelSize = Self.size) -> Data? {
        let frames = (0..<frameCount).compactMap { index in
            (try? bitmap(at: Float(index) / Float(frameCount), size)).map { ImageFrame(bitmap: $0, duration: duration) }
        }
        return try? ImageCodersManager.shared.encode(frames, loopCount: 0, to: format, options: ImageEncodeOptions())
    }

    private func bitmap(at time: Float, _ size: PixelSize) throws(WebImageError) -> Bitmap {
        let side = Float(size.width) / 2
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.area * 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let point = SIMD2(Float(x) + 0.5 - side, Float(y) + 0.5 - Float(size.height) / 2) / side
                drawing(point, time).append(to: &pixels)
            }
        }
        return try Bitmap(size: size, pixels: pixels)
    }
}

/// A colour while it is drawn: red, green, blue and opacity, from 0 to 1 and premultiplied.
nonisolated struct Ink: Sendable {
    private var channels: SIMD4<Float>

    static let none = Ink(channels: SIMD4(repeating: 0))

    private init(channels: SIMD4<Float>) { self.channels = channels }

    init(_ red: Float, _ green: Float, _ blue: Float, opacity: Float = 1) {
        channels = SIMD4(red, green, blue, 1) * opacity
    }

    /// This colour under another one, which covers a share of it.
    func under(_ other: Ink, _ share: Float) -> Ink {
        let top = other.channels * min(1, max(0, share))
        return Ink(channels: top + channels * (1 - top.w))
    }

    func append(to pixels: inout [UInt8]) {
        let bytes = SIMD4<UInt8>((channels * 255).rounded(.toNearestOrEven))
        for index in 0..<4 { pixels.append(bytes[index]) }
    }
}
