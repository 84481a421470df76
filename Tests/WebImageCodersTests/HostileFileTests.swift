import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Hostile PNG, GIF and WebP files")
struct HostileFileTests {
    private static let names = [
        "animated.gif", "palette-interlaced.gif", "animated.png", "oriented.png", "profile.png", "animated.webp",
        "lossy.webp", "lossy-alpha.webp", "oriented.webp",
    ]

    @Test("a file that was cut at any point is an error", arguments: names)
    func truncation(name: String) throws {
        let data = try Fixtures.data(name)
        _ = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        // A still GIF may lack its last byte, the trailer: all of its pixels are complete.
        let count = data.count - (name == "palette-interlaced.gif" ? 1 : 0)
        let step = max(1, count / 300)
        for length in stride(from: 0, to: count, by: step).map({ count - 1 - $0 }) {
            let error = #expect(throws: WebImageError.self, "\(length) of \(data.count) bytes") {
                try ImageCodersManager.shared.decode(data.prefix(length), options: ImageDecodeOptions())
            }
            guard length >= ImageFormat.sniffedByteCount else { continue }
            #expect(
                error?.code == .truncatedImageData, "\(length) of \(data.count) bytes: \(String(describing: error))")
        }
    }

    @Test("interlaced PNG pixels that were cut are an error, not a picture in part")
    func truncatedPasses() {
        let data = PNGKind(colorType: 2, bitDepth: 8, isInterlaced: true).file
        for length in 33..<data.count {
            #expect(throws: WebImageError.self) {
                try PNGCoder().decode(data.prefix(length), options: ImageDecodeOptions())
            }
        }
    }

    @Test("pixels that are fewer than the header says are damage")
    func shortPixels() {
        var png = PNGBuilder()
        png.appendHeader(width: 2, height: 2, colorType: 0)
        png.appendPixels([0, 1, 2])
        png.appendEnd()
        var gif = GIFBuilder(width: 2, height: 2)
        gif.appendFrame(width: 2, height: 2, indices: [1, 2, 3])
        gif.appendTrailer()
        for data in [png.data, gif.data] {
            let error = #expect(throws: WebImageError.self) {
                try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
            }
            #expect(error?.code == .badImageData)
        }
    }

    /// Files of a few bytes that claim 65,000 × 65,000 pixels.
    private static let giants: [(name: String, data: Data)] = {
        var png = PNGBuilder()
        png.appendHeader(width: 65_000, height: 65_000)
        png.appendPixels([0])
        png.appendEnd()
        var gif = GIFBuilder(width: 65_000, height: 65_000)
        gif.appendFrame(width: 65_000, height: 65_000, indices: [1])
        gif.appendTrailer()
        return [("PNG", png.data), ("GIF", gif.data), ("WebP", webP(side: 65_000))]
    }()

    /// An animation's header and nothing else.
    private static func webP(side: Int) -> Data {
        let canvas = (0..<2).flatMap { _ in (0..<3).map { UInt8((side - 1) >> ($0 * 8) & 255) } }
        let content = Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 2, 0, 0, 0] + canvas
        return Data(Array("RIFF".utf8) + [UInt8(content.count), 0, 0, 0] + content)
    }

    @Test("65,000 × 65,000 pixels are refused on the header, also for a thumbnail", arguments: giants)
    func giantClaims(giant: (name: String, data: Data)) {
        for thumbnail in [nil, PixelSize(width: 100, height: 100)] {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = thumbnail
            let error = #expect(throws: WebImageError.self) {
                try ImageCodersManager.shared.decode(giant.data, options: options)
            }
            #expect(error?.code == .limitExceeded)
            #expect(error?.kind == .policy)
            #expect(error?.reason.contains("maximumSourcePixelCount") == true)
            #expect(error?.reason.contains(giant.name) == true)
        }
    }

    @Test("a picture above the limit of pixels is refused whole, and taken as a thumbnail if it is never held")
    func heldPixels() throws {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 60
        let rows = PNGKind(colorType: 6, bitDepth: 8).file
        let passes = PNGKind(colorType: 6, bitDepth: 8, isInterlaced: true).file
        #expect(throws: WebImageError.self) { try PNGCoder().decode(rows, options: options) }
        options.thumbnailPixelSize = PixelSize(width: 5, height: 5)
        #expect(try PNGCoder().decode(rows, options: options).pixelSize.width == 5)
        #expect(throws: WebImageError.self) { try PNGCoder().decode(passes, options: options) }
    }

    @Test("a row of more than a million pixels is refused by name")
    func longRow() {
        var png = PNGBuilder()
        png.appendHeader(width: 1_000_001, height: 1)
        png.appendPixels([0])
        png.appendEnd()
        let error = #expect(throws: WebImageError.self) {
            try PNGCoder().decode(png.data, options: ImageDecodeOptions())
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("files damaged at random decode or fail, and nothing worse", arguments: names, 1...2)
    func mutations(name: String, seed: Int) throws {
        let data = try Fixtures.data(name)
        var mutator = FileMutator(seed: UInt64(seed))
        for round in 0..<600 { exercise(mutator.mutate(data), round: round) }
    }

    @Test("PNG kinds damaged behind their check sums decode or fail, and nothing worse", arguments: PNGKind.all)
    func mutatedKinds(kind: PNGKind) {
        var mutator = FileMutator(seed: 5)
        let data = kind.file
        for round in 0..<100 { exercise(mutator.mutate(data), round: round) }
    }

    @Test(
        "cut, damaged and too large files give the same in processes of their own", .needsDecoderProcesses,
        arguments: names)
    func elsewhere(name: String) throws {
        let data = try Fixtures.data(name)
        let comparison = ProcessComparison()
        for length in stride(from: 0, to: data.count, by: max(1, data.count / 20)) {
            comparison.check(data.prefix(length), "\(length) bytes of \(name)")
        }
        var mutator = FileMutator(seed: 3)
        for round in 0..<20 {
            let mutant = mutator.mutate(data)
            let file = name.hasSuffix("png") ? PNGBuilder.repairingCheckSums(mutant) : mutant
            var options = ImageDecodeOptions()
            if round.isMultiple(of: 2) { options.thumbnailPixelSize = PixelSize(width: 1 + round, height: 9) }
            options.limits.maximumPixelCount = 1 << 16
            comparison.check(file, "mutant \(round) of \(name)", options: options)
        }
        for giant in Self.giants { comparison.check(giant.data, giant.name) }
    }

    /// Reads and decodes in all ways; only a trap or a sanitizer report is a failure.
    private func exercise(_ data: Data, round: Int) {
        let data = data.starts(with: [0x89, 0x50]) ? PNGBuilder.repairingCheckSums(data) : data
        var options = round.isMultiple(of: 3) ? ImageDecodeOptions.storedPixels : ImageDecodeOptions()
        if round.isMultiple(of: 2) { options.thumbnailPixelSize = PixelSize(width: 1 + round % 20, height: 9) }
        options.limits.maximumPixelCount = 1 << 16
        options.limits.maximumSourcePixelCount = 1 << 16
        if let image = try? ImageCodersManager.shared.decode(data, options: options) {
            #expect(!image.pixelSize.isEmpty)
            #expect((try? ImageCodersManager.shared.properties(of: data, isComplete: true)) != nil)
        } else {
            _ = try? ImageCodersManager.shared.properties(of: data, isComplete: round.isMultiple(of: 2))
        }
    }
}
