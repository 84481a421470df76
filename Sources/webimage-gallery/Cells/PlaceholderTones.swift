import WebImage

/// Soft gradients for placeholders.
enum PlaceholderTones {
    static func image(number: Int) -> Image? { images.isEmpty ? nil : images[number % images.count] }

    /// One tone per hue, muted so that it does not look like a picture.
    private static let tops: [(Double, Double, Double)] = [
        (52, 62, 82), (66, 58, 84), (82, 60, 70), (80, 70, 56), (58, 74, 66), (50, 72, 80), (60, 60, 90),
    ]

    private static let images: [Image] = tops.compactMap { top in
        let size = PixelSize(width: 8, height: 6)
        let pixels = (0..<size.height).flatMap { row in
            (0..<size.width).flatMap { column in
                let light = 1.05 - 0.075 * Double(row) - 0.02 * Double(column)
                return [top.0, top.1, top.2].map { UInt8(min(255, $0 * light)) } + [255]
            }
        }
        return (try? Bitmap(size: size, pixels: pixels)).map { Image(bitmap: $0) }
    }
}
