import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageLoading
@testable import WebImageTestDoubles

/// Tiles of PNG files are parts of rows in a temporary file; their pixels must be those of the whole decode.
@Suite("Regions of PNG files")
struct PNGRegionTests {
    /// A file with every filter, in chunks of odd lengths.
    static func file(
        _ width: Int = 211, _ height: Int = 150, colorType: Int = 2, bitDepth: Int = 8, seed: UInt64 = 1
    ) -> Data {
        var random = SeededGenerator(seed: seed)
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
        let rowByteCount = (width * channels * bitDepth + 7) / 8
        var rows: [UInt8] = []
        for _ in 0..<height {
            rows.append(UInt8.random(in: 0...4, using: &random))
            for _ in 0..<rowByteCount { rows.append(UInt8.random(in: 0...7, using: &random)) }
        }
        var builder = PNGBuilder()
        builder.appendHeader(width: width, height: height, bitDepth: bitDepth, colorType: colorType)
        if colorType == 3 { builder.append("PLTE", (0..<(3 << bitDepth)).map { UInt8($0 * 37 & 255) }) }
        if colorType == 3 { builder.append("tRNS", [0, 100, 200].prefix(1 << bitDepth).map { $0 }) }
        if colorType == 2 { builder.append("tRNS", [0, 1, 0, 2, 0, 3]) }
        let pixels = PNGBuilder.zlib(rows)
        for start in stride(from: 0, to: pixels.count, by: 997) {
            builder.append("IDAT", Array(pixels[start..<min(pixels.count, start + 997)]))
        }
        builder.appendEnd()
        return builder.data
    }

    static func open(_ data: Data, rowPixelCount: Int = 300) throws -> PNGRegionFile {
        try #require(
            try PNGRegionFile(
                RandomAccessFile(data), limits: ImageLimits(), rowPixelCount: rowPixelCount, baseSide: 16))
    }

    @Test(
        "tiles are the whole decode, for every kind of pixel",
        arguments: [(0, 1), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 2), (3, 8), (4, 8), (4, 16), (6, 8), (6, 16)])
    func tilesAreWhole(_ colorType: Int, _ bitDepth: Int) throws {
        let data = Self.file(colorType: colorType, bitDepth: bitDepth)
        let check = try TileCheck(Self.open(data))
        #expect(check.source.file.rowReduction > 4)
        try check.expectEqual { try PNGCoder().whole(data, reduction: $0, ownScaling: 1) }
    }

    @Test(
        "tiles of real files",
        arguments: ["palette.png", "translucent.png", "profile.png", "oriented.png", "photo-small.png"])
    func fixtures(_ name: String) throws {
        let data = try Fixtures.data(name)
        let check = try TileCheck(Self.open(data))
        try check.expectEqual { try PNGCoder().whole(data, reduction: $0, ownScaling: 1) }
    }

    @Test("a tile below the rows of the base is read with all rows, in its own reading")
    func fineRows() throws {
        let check = try TileCheck(Self.open(Self.file()))
        let key = TileKey(level: 0, column: 0, row: 1)
        guard case .unread = check.source.readiness(of: key) else {
            throw TestFailure(text: "the tile needs no reading")
        }
        check.source.takeReading(for: key)?()
        guard case .ready = check.source.readiness(of: key) else { throw TestFailure(text: "the tile is not ready") }
        #expect(!check.source.sharesDecode(key, TileKey(level: 0, column: 2, row: 1)))
        #expect(check.source.file.keptIndex == nil)
    }

    @Test("damage gives an error or a picture", arguments: 0..<6)
    func damage(_ seed: Int) throws {
        var mutator = FileMutator(seed: UInt64(seed) + 5)
        let data = Self.file(90, 70, colorType: [0, 2, 3, 4, 6, 2][seed], bitDepth: 8)
        for _ in 0..<40 {
            do {
                let damaged = PNGBuilder.repairingCheckSums(mutator.mutate(data))
                guard
                    let file = try PNGRegionFile(
                        RandomAccessFile(damaged), limits: ImageLimits(), rowPixelCount: 300, baseSide: 16)
                else { continue }
                _ = try TileSource(file).readBase()
            } catch {}
        }
    }
}
