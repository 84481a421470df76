import FoundationEssentials
import Testing
import WebImageCore

// As the documentation of ImageTransformer has it, letter for letter; a test compares the two.
struct Inverting: ImageTransformer {
    let transformerKey = "Inverting"
    func transform(_ image: Image, for key: CacheKey) -> Image? {
        var pixels = image.bitmap.withUnsafeBytes { Array($0) }
        // Four bytes a pixel, alpha last; the others are multiplied by it.
        for index in pixels.indices where index % 4 < 3 { pixels[index] = pixels[index | 3] - pixels[index] }
        guard let bitmap = try? Bitmap(size: image.pixelSize, pixels: pixels) else { return nil }
        return Image(bitmap: bitmap, scale: image.scale)
    }
}

@Suite("Custom transformers")
struct CustomTransformerTests {
    @Test("S4-21 an app's own transformer, as in the documentation, works with public API alone")
    func inverts() throws {
        let pixels: [UInt8] = [255, 0, 10, 255, 40, 0, 80, 80, 0, 0, 0, 0]
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: 3, height: 1), pixels: pixels), scale: 2)
        let result = try #require(Inverting().transform(image, for: CacheKey("a")))
        #expect(result.bitmap.withUnsafeBytes { Array($0) } == [0, 255, 245, 255, 40, 80, 0, 80, 0, 0, 0, 0])
        #expect(result.scale == 2)
        #expect(Inverting().preservesImageMetadata)
    }

    @Test("S4-21 the documentation's transformer is compiled here")
    func documented() throws {
        let documentation = try Self.text("Sources/WebImageCore/Request/Transforming/ImageTransformer.swift")
        let lines = documentation.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "/// ```swift"))
        let end = try #require(lines.firstIndex(of: "/// ```"))
        let example = lines[(start + 1)..<end].map { $0.dropFirst(4) }.joined(separator: "\n")
        let file = try Self.text("Tests/WebImagePixelsTests/Transformers/CustomTransformerTests.swift")
        #expect(example.hasPrefix("struct Inverting"))
        #expect(file.contains(example))
    }

    private static func text(_ path: String) throws -> String {
        var package = URL(filePath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        return String(decoding: try Data(contentsOf: package.appending(path: path)), as: UTF8.self)
    }
}
