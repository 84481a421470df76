import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageLoading
@testable import WebImageTestDoubles

/// Tiles of PNG files are rows from a checkpoint on; their pixels must be those of the whole decode.
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
        let pixels = PNGRegionTests.deflate(rows)
        for start in stride(from: 0, to: pixels.count, by: 997) {
            builder.append("IDAT", Array(pixels[start..<min(pixels.count, start + 997)]))
        }
        builder.appendEnd()
        return builder.data
    }

    /// A few megabytes, as an encoder writes them.
    static let largeFile = Result {
        let size = PixelSize(width: 1200, height: 1000)
        let bitmap = try Bitmap(size: size, colorSpace: .sRGB) { rows, bytesPerRow in
            var value: UInt32 = 1
            for place in 0..<size.area {
                value = value &* 1_664_525 &+ 1_013_904_223
                rows.storeBytes(of: value >> 8 & 0x3F1F_3F | 0xFF00_0000, toByteOffset: place * 4, as: UInt32.self)
            }
            return true
        }
        return try PNGCoder().encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
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

    @Test("checkpoints continue anywhere, also from a kept index")
    func checkpoints() throws {
        let data = try Self.largeFile.get()
        let first = try Self.open(data, rowPixelCount: 1 << 16)
        let check = try TileCheck(first, tileSide: 200)
        let kept = try #require(first.keptIndex)
        let access = RandomAccessFile(data)
        let file = try #require(
            try PNGRegionFile(access, limits: ImageLimits(), rowPixelCount: 1 << 16, baseSide: 16))
        let second = try TileCheck(file, kept: kept, tileSide: 200)
        let whole = try PNGCoder().whole(data, reduction: 1, ownScaling: 1)
        let before = access.readByteCount
        let key = TileKey(level: 0, column: 1, row: 4)
        try second.source.decode([key], cancellation: CancellationFlag()) { key, bitmap in
            let region = second.source.grid.region(of: key)
            for y in stride(from: 0, to: bitmap.size.height, by: 37) {
                let row = (region.rows.lowerBound + y) * whole.bytesPerRow + region.columns.lowerBound * 4
                #expect(
                    bitmap.bytes[y * bitmap.bytesPerRow..<(y + 1) * bitmap.bytesPerRow]
                        .elementsEqual(whole.bytes[row..<row + bitmap.bytesPerRow]))
            }
        }
        #expect(access.readByteCount - before < data.count * 4 / 5)
        #expect(check.source.grid == second.source.grid)
    }

    @Test("neighbours are decoded together")
    func neighbours() throws {
        let check = try TileCheck(Self.open(Self.file()))
        let key = TileKey(level: 0, column: 0, row: 1)
        #expect(check.source.sharesDecode(key, TileKey(level: 0, column: 2, row: 1)))
        #expect(!check.source.sharesDecode(key, TileKey(level: 0, column: 0, row: 0)))
        #expect(!check.source.sharesDecode(key, TileKey(level: 1, column: 0, row: 1)))
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
                _ = try file.prepareRegions(kept: nil, cancellation: CancellationFlag()) {}
                let region = PixelRegion(file.storedSize.reduced(by: 2))
                try file.decode([region], reduction: 2, cancellation: CancellationFlag()) { _, _ in }
            } catch {}
        }
    }

    @Test("a damaged index is made anew, or gives an error", arguments: 0..<6)
    func damagedIndex(_ seed: Int) throws {
        let data = try Self.largeFile.get()
        let file = try Self.open(data)
        _ = try file.prepareRegions(kept: nil, cancellation: CancellationFlag()) {}
        let kept = try #require(file.keptIndex)
        var mutator = FileMutator(seed: UInt64(seed))
        for _ in 0..<20 {
            do {
                let opened = try Self.open(data)
                let stopped = CancellationFlag()
                stopped.cancel()
                _ = try opened.prepareRegions(kept: mutator.mutate(kept), cancellation: stopped) {}
                let region = PixelRegion(columns: 0..<64, rows: 900..<964)
                try opened.decode([region], reduction: 1, cancellation: CancellationFlag()) { _, _ in }
            } catch {}
        }
    }

    /// A zlib stream of blocks of fixed codes, so that there is something between two blocks to continue from.
    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var writer = FixedDeflate()
        return writer.stream(bytes, blockByteCount: 50_000)
    }
}

/// Blocks of literals in fixed codes (RFC 1951 §3.2.6).
private struct FixedDeflate {
    private var bytes: [UInt8] = [0x78, 0x01]
    private var bits: UInt32 = 0
    private var count: UInt32 = 0

    mutating func stream(_ input: [UInt8], blockByteCount: Int) -> [UInt8] {
        var start = 0
        while start < input.count {
            let end = min(input.count, start + blockByteCount)
            put(end == input.count ? 1 : 0, 1)
            put(1, 2)
            for byte in input[start..<end] {
                if byte < 144 { putCode(0x30 + UInt32(byte), 8) } else { putCode(0x190 + UInt32(byte) - 144, 9) }
            }
            putCode(0, 7)
            start = end
        }
        if count > 0 { bytes.append(UInt8(bits)) }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in input {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        let sum = high << 16 | low
        return bytes + [UInt8(sum >> 24), UInt8(sum >> 16 & 255), UInt8(sum >> 8 & 255), UInt8(sum & 255)]
    }

    /// Codes begin with their highest bit.
    private mutating func putCode(_ code: UInt32, _ length: UInt32) {
        for bit in (0..<length).reversed() { put(code >> bit & 1, 1) }
    }

    private mutating func put(_ value: UInt32, _ length: UInt32) {
        bits |= value << count
        count += length
        while count >= 8 {
            bytes.append(UInt8(bits & 255))
            bits >>= 8
            count -= 8
        }
    }
}
