import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageIsolation
import WebImagePixels
import WebImageSVG
import WebImageTestSupport

@testable import WebImageTestDoubles

/// The folder that `WEBIMAGE_SVG_FOLDER` names.
private enum SVGFolder {
    static let path = ProcessInfo.processInfo.environment["WEBIMAGE_SVG_FOLDER"]

    static var files: [String] {
        let names = path.flatMap { FileManager.default.enumerator(atPath: $0) }?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".svg") || $0.hasSuffix(".svgz") }.sorted()
    }
}

/// Compares the drawings of any SVG files with those of rsvg-convert: `WEBIMAGE_SVG_FOLDER=/usr/share/openclipart`.
@Suite(
    "A folder of SVG files", .timeLimit(.minutes(60)),
    .enabled(if: SVGFolder.path != nil, "WEBIMAGE_SVG_FOLDER names no folder"))
struct SVGFolderTests {
    private static let manager: ImageCodersManager = {
        let manager = ImageCodersManager(coders: [.svg])
        manager.isolation = .helper
        return manager
    }()

    /// As rsvg-convert draws it; nil for what it does not draw, or not within the limit of time.
    private static func reference(of path: String, _ program: Program) async throws -> Bitmap? {
        let output = program.file("reference.png")
        let seconds = ImageLimits().maximumDecodeDuration.components.seconds
        let run = try await program.run(
            ["\(seconds)", "rsvg-convert", path, "-o", output.path], by: URL(filePath: "/usr/bin/timeout"))
        guard run.status == 0, let data = try? Data(contentsOf: output) else { return nil }
        return try PNGCoder().decode(data, options: ImageDecodeOptions()).bitmap
    }

    /// rsvg-convert draws a row or column more for a sliver of a pixel.
    private static func difference(of bitmap: Bitmap, from reference: Bitmap) throws(WebImageError) -> Double {
        let (size, other) = (bitmap.size, reference.size)
        guard (0...1).contains(other.width - size.width), (0...1).contains(other.height - size.height) else {
            return .infinity
        }
        let common = try reference.cropped(columns: 0..<size.width, rows: 0..<size.height)
        return bitmap.meanDifference(from: common, step: 3)
    }

    @Test("what rsvg-convert draws within the limits is drawn, and looks like it")
    func likeRsvgConvert() async throws {
        let program = try Program()
        var (differences, refused) = ([String: Double](), [String: String]())
        for name in SVGFolder.files {
            let path = "\(SVGFolder.path ?? "")/\(name)"
            guard let reference = try await Self.reference(of: path, program) else { continue }
            do throws(WebImageError) {
                let data = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
                let bitmap = try Self.manager.decode(data, options: ImageDecodeOptions()).bitmap
                differences[name] = try Self.difference(of: bitmap, from: reference)
            } catch {
                refused[name] = error.reason
            }
        }
        let worst = differences.sorted { $0.value > $1.value }.prefix(20)
        print("\(differences.count) files are drawn; the most different: \(worst)")
        #expect(refused.isEmpty, "\(refused)")
        #expect(worst.allSatisfy { $0.value < 2 })
    }
}
