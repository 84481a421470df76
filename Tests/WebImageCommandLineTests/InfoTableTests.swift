import Foundation
import Testing
import WebImage

@testable import WebImageTestDoubles

/// The reported properties of files, against numbers by other programs: ImageMagick's `identify`, `gifsicle --info`,
/// `webpmux -info`, and the bytes of PNG's chunks.
@Suite("Command line: info, against other programs", .timeLimit(.minutes(5)))
struct InfoTableTests {
    struct Row: CustomStringConvertible, Sendable {
        let name: String
        let format: String
        let width: Int
        let height: Int
        var durations: [Int] = []
        var loopCount: Int?
        var hasAlpha = false
        var orientation = 1

        var description: String { name }
    }

    private static let rows = [
        Row(name: "photo.jpg", format: "JPEG", width: 200, height: 150),
        Row(name: "gray.jpg", format: "JPEG", width: 200, height: 150),
        Row(name: "cmyk.jpg", format: "JPEG", width: 96, height: 16),
        // 32×48 before orientation.
        Row(name: "orientation-6.jpg", format: "JPEG", width: 48, height: 32, orientation: 6),
        Row(name: "orientation-3.jpg", format: "JPEG", width: 48, height: 32, orientation: 3),
        Row(name: "photo-small.png", format: "PNG", width: 96, height: 64),
        Row(name: "palette.png", format: "PNG", width: 120, height: 90),
        Row(name: "translucent.png", format: "PNG", width: 96, height: 64, hasAlpha: true),
        Row(name: "oriented.png", format: "PNG", width: 32, height: 48, orientation: 6),
        Row(name: "animated.png", format: "PNG", width: 48, height: 32, durations: [40, 80, 120], loopCount: 2),
        Row(name: "palette.gif", format: "GIF", width: 120, height: 90),
        Row(name: "animated.gif", format: "GIF", width: 24, height: 16, durations: [50, 100, 150], loopCount: 4),
        Row(name: "animated-once.gif", format: "GIF", width: 24, height: 16, durations: [50, 100, 150], loopCount: 1),
        Row(name: "lossy.webp", format: "WebP", width: 96, height: 64),
        Row(name: "lossy-alpha.webp", format: "WebP", width: 96, height: 64, hasAlpha: true),
        Row(name: "oriented.webp", format: "WebP", width: 32, height: 48, orientation: 6),
        Row(name: "animated.webp", format: "WebP", width: 48, height: 32, durations: [40, 80, 120], loopCount: 2),
    ]

    private let program: Program

    init() throws { program = try Program() }

    private func info(_ path: String) async throws -> [String: Any] {
        let run = try await program.run("info", "--json", path)
        #expect(run.status == 0, "\(run.errors)")
        return try #require(try run.objects().first)
    }

    @Test("S3-12 MET-4 format, size, frames, loops and orientation match other programs", arguments: rows)
    func fixtures(row: Row) async throws {
        let object = try await info(Fixtures.path(row.name))
        #expect(object["format"] as? String == row.format)
        #expect(object["width"] as? Int == row.width && object["height"] as? Int == row.height)
        #expect(object["frames"] as? Int == max(1, row.durations.count))
        #expect(object["frameDurations"] as? [Int] ?? [] == row.durations)
        #expect(object["loopCount"] as? Int == row.loopCount)
        #expect(object["orientation"] as? Int == row.orientation)
        // Frames of an animation may be transparent where the first one is not.
        if row.durations.isEmpty { #expect(object["hasAlpha"] as? Bool == row.hasAlpha) }
        let image = try ImageCodersManager.shared.decode(Fixtures.data(row.name), options: ImageDecodeOptions())
        #expect(image.metadata.format.description == row.format)
        #expect(image.pixelSize == PixelSize(width: row.width, height: row.height))
    }

    @Test("S3-12 MET-4 formats with a library each match as well", arguments: ["bmp", "tiff", "avif", "jxl"])
    func libraries(suffix: String) async throws {
        let file = program.file("a.\(suffix)")
        let run = try await program.run("convert", Fixtures.path("photo.jpg"), file.path)
        #expect(run.status == 0, "\(run.errors)")
        let object = try await info(file.path)
        let names = ["bmp": "BMP", "tiff": "TIFF", "avif": "AVIF", "jxl": "JPEG XL"]
        #expect(object["format"] as? String == names[suffix])
        #expect(object["width"] as? Int == 200 && object["height"] as? Int == 150)
        #expect(object["bitsPerChannel"] as? Int == 8 && object["hasAlpha"] as? Bool == false)
    }

    @Test("S3-12 MET-4 icons and drawings match as well")
    func others() async throws {
        let icon = program.file("a.ico")
        try ICOBuilder.several.data.write(to: icon)
        let found = try await info(icon.path)
        #expect(found["format"] as? String == "ICO" && found["width"] as? Int == 24 && found["height"] as? Int == 24)
        let drawing = program.file("a.svg")
        try Data("<svg xmlns='http://www.w3.org/2000/svg' width='31' height='17'/>".utf8).write(to: drawing)
        let shapes = try await info(drawing.path)
        #expect(shapes["format"] as? String == "SVG" && shapes["width"] as? Int == 31 && shapes["height"] as? Int == 17)
    }
}
