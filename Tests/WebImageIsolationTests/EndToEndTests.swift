import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageIsolation
import WebImageSVG
import WebImageTestSupport

@testable import WebImageTestDoubles

/// Pictures that `webimage-decoder` decodes, for a manager that is set so.
@Suite(
    "Pictures from decoder processes", .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct EndToEndTests {
    private static let pictures =
        [
            "gray.jpg", "cmyk.jpg", "display-p3.jpg", "animated.png", "lossless.webp", "lossy-alpha.webp",
            "animated.gif",
        ].map(Fixtures.path)
        + [
            "alpha.tiff", "photo.avif", "animated.avif", "photo.jxl", "animated.jxl", "photo.bmp", "several.ico",
            "tiles.svg", "pictures.svg", "grid.heif",
        ].map(FuzzSeeds.path)

    private static func manager() -> ImageCodersManager {
        let manager = ImageCodersManager(coders: DecoderCoders.all)
        manager.isolation = .all
        return manager
    }

    private static func bytes(_ bitmap: Bitmap) -> [UInt8] { bitmap.withUnsafeBytes { Array($0) } }

    @Test("the pixels, the metadata and the frames are those of a decode in this process", arguments: pictures)
    func decodes(path: String) throws {
        let data = try Data(contentsOf: URL(filePath: path))
        let here = ImageCodersManager(coders: DecoderCoders.all)
        for box in [nil, PixelSize(width: 20, height: 20)] {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = box
            let expected = try here.decode(data, options: options)
            let found = try Self.manager().decode(data, options: options)
            #expect(Self.bytes(found.bitmap) == Self.bytes(expected.bitmap))
            #expect(found.metadata == expected.metadata)
            #expect(found.animation?.frameCount == expected.animation?.frameCount)
            for index in 0..<(expected.animation?.frameCount ?? 0) {
                let frames = try [found, expected].map { try $0.animation?.frame(at: index) }
                #expect(frames[0].map(Self.bytes) == frames[1].map(Self.bytes), "frame \(index)")
            }
        }
        #expect(
            try Self.manager().properties(of: data, isComplete: true)
                == here.properties(of: data, isComplete: true))
    }

    @Test("a large picture is in the memory that its worker wrote, which is kept for the next one")
    func sharedPixels() throws {
        let size = PixelSize(width: 1500, height: 1000)
        let bitmap = try Bitmap(size: size, pixels: (0..<size.area * 4).map { UInt8(truncatingIfNeeded: $0 | 3) })
        let file = try ImageCodersManager.shared.encode(
            Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
        let found = try Self.manager().decode(file, options: ImageDecodeOptions())
        #expect(found.bitmap.sharedBuffer != nil)
        #expect(Self.bytes(found.bitmap) == Self.bytes(bitmap))
    }

    @Test("a picture retains nothing of its load", arguments: ["gray.jpg", "animated.gif", "animated.webp"])
    func retention(name: String) throws {
        weak var flag: CancellationFlag?
        let image: Image
        do {
            let cancellation = CancellationFlag()
            flag = cancellation
            var options = ImageDecodeOptions()
            options.cancellation = cancellation
            image = try Self.manager().decode(Data(contentsOf: URL(filePath: Fixtures.path(name))), options: options)
        }
        #expect(flag == nil && image.metadata.frameCount >= 1)
    }

    @Test(
        "a file that ends librsvg's process is an error, and the next picture is there", arguments: HostileSVG.crashes)
    func librsvgAborts(hostile: Data) throws {
        let manager = Self.manager()
        #expect(throws: WebImageError.self) { try manager.decode(hostile, options: ImageDecodeOptions()) }
        let drawing = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#.utf8)
        #expect(try manager.decode(drawing, options: ImageDecodeOptions()).pixelSize.width == 9)
    }

    @Test("the level that was reached is told, with the program's path")
    func status() throws {
        let status = try Self.manager().isolation.status()
        #expect(status.level.isSuperset(of: .minimum))
        #expect(status.helperPath.hasSuffix("/webimage-decoder") && status.description.contains("system calls"))
    }
}
