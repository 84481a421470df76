import FoundationEssentials
import WebImage

/// JPEG files of 1024 × 768 that differ in a comment only.
nonisolated enum SamplePoster {
    static func file(_ number: Int) -> Data {
        let text = Array("\(number)".utf8)
        // After the marker of the beginning: a comment, with its length.
        return photo.prefix(2) + Data([0xFF, 0xFE, 0, UInt8(text.count + 2)] + text) + photo.dropFirst(2)
    }

    private static let photo: Data = {
        let size = PixelSize(width: 1024, height: 768)
        var state: UInt32 = 12345
        let pixels = (0..<size.area).flatMap { index -> [UInt8] in
            state = state &* 1_664_525 &+ 1_013_904_223
            let grain = Int(state >> 28)
            let (x, y) = (index % size.width * 220 / size.width, index / size.width * 220 / size.height)
            return [UInt8(x + grain), UInt8(y + grain), UInt8(100 + grain), 255]
        }
        do {
            let image = Image(bitmap: try Bitmap(size: size, pixels: pixels))
            var options = ImageEncodeOptions()
            options.compressionQuality = 0.85
            return try ImageCodersManager.shared.encode(image, to: .jpeg, options: options)
        } catch {
            fatalError("\(error)")
        }
    }()
}
