import WebImageCore

/// The memory for encoding an image sequence by libaom, measured with its version 3.6 and rounded up: it surrounds each
/// frame with a border, and needs the more of such frames the further it looks ahead.
struct AVIFSequenceMemory {
    /// Pixels that libaom adds to each side's length.
    private static let border = 320
    /// A monochrome picture, such as alpha, takes as much as one with colour at half the resolution.
    private static let bytesPerPixelOfAlpha = 1.5

    private let bytesPerSample: Double
    private let bytesPerPixelOfColor: Double
    private let hasAlpha: Bool

    init(_ kind: AVIFCompressor.Kind) {
        bytesPerSample = kind.depth == .eight ? 1 : 2
        bytesPerPixelOfColor = kind.hasFullChroma ? 3 : 1.5
        hasAlpha = !kind.isOpaque
    }

    /// The bytes that encoding one frame after the other takes.
    func leastByteCount(for size: PixelSize) -> Int {
        byteCount(for: size) { area, padded, bytes in padded * bytes * 6 + area * (10 + bytes * 14) }
    }

    /// The bytes that encoding takes when frames that follow are held.
    func byteCountLookingAhead(for size: PixelSize) -> Int {
        byteCount(for: size) { _, padded, bytes in padded * (30 + bytes * 55) }
    }

    /// - Parameter encoder: The bytes of one encoder, for pictures of an area, that with the borders, and bytes a pixel.
    private func byteCount(
        for size: PixelSize, _ encoder: (_ area: Double, _ padded: Double, _ bytes: Double) -> Double
    ) -> Int {
        let area = Double(size.area)
        let padded = Double(size.width + Self.border) * Double(size.height + Self.border)
        // Straight pixels, and the planes that libavif encodes.
        var sum = area * bytesPerSample * (4 + bytesPerPixelOfColor + (hasAlpha ? 1 : 0))
        sum += encoder(area, padded, bytesPerPixelOfColor * bytesPerSample)
        // libavif has another encoder for alpha.
        if hasAlpha { sum += encoder(area, padded, Self.bytesPerPixelOfAlpha * bytesPerSample) }
        return Int(sum.rounded(.up))
    }
}
