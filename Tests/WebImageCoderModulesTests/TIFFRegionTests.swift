import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageJXL
@testable import WebImageLoading
@testable import WebImageTIFF

/// Tiles of TIFF files, and the rows of formats without regions; their pixels must be those of the whole decode.
@Suite("Regions of TIFF files and rows of other formats")
struct TIFFRegionTests {
    /// 300 × 210 pixels with every colour and some transparency.
    static func bitmap(isOpaque: Bool = true) throws -> Bitmap {
        let size = PixelSize(width: 300, height: 210)
        var pixels: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let alpha = isOpaque ? 255 : (x * 3 + y) & 255
                pixels += [x * 7 & 255, y * 5 & 255, (x ^ y) & 255].map { UInt8($0 * alpha / 255) } + [UInt8(alpha)]
            }
        }
        return try Bitmap(size: size, pixels: pixels)
    }

    @Test("tiles are the whole decode", arguments: [true, false])
    func tilesAreWhole(_ isOpaque: Bool) throws {
        let data = try TIFFCoder().encode(
            Image(bitmap: try Self.bitmap(isOpaque: isOpaque)), to: .tiff, options: ImageEncodeOptions())
        try check(data)
    }

    @Test("tiles of a tiled file, also where a part of one is outside of the picture", arguments: [true, false])
    func tiled(_ isBigEndian: Bool) throws {
        let data = try Self.tiledFile(Self.bitmap(), isBigEndian: isBigEndian)
        try check(data)
        let access = RandomAccessFile(data)
        let file = try #require(try TIFFRegionFile(access, limits: ImageLimits(), rowPixelCount: 2000, baseSide: 16))
        #expect(!file.decodesWholeRows)
        let before = access.readByteCount
        let region = PixelRegion(columns: 250..<300, rows: 100..<140)
        try file.decode([region], reduction: 1, cancellation: CancellationFlag()) { _, _ in }
        #expect(access.readByteCount - before < data.count / 4)
    }

    @Test("a damaged file gives an error or a picture", arguments: 0..<4)
    func damage(_ seed: Int) throws {
        var mutator = FileMutator(seed: UInt64(seed))
        let data = try Self.tiledFile(Self.bitmap(), isBigEndian: false)
        for _ in 0..<60 {
            do {
                let file = try TIFFRegionFile(
                    RandomAccessFile(mutator.mutate(data)), limits: ImageLimits(), rowPixelCount: 2000, baseSide: 16)
                guard let file, file.storedSize.area < 1 << 20 else { continue }
                let region = PixelRegion(file.storedSize.reduced(by: 2))
                try file.decode([region], reduction: 2, cancellation: CancellationFlag()) { _, _ in }
            } catch {}
        }
    }

    @Test("formats without regions are decoded once", arguments: [ImageFormat.jpegXL, .webP, .tiff])
    func wholeFiles(_ format: ImageFormat) throws {
        let coders: [any ImageCoder] = [JXLCoder(), WebPCoder(), TIFFCoder()]
        let coder = try #require(coders.first { $0.canEncode(format) })
        var options = ImageEncodeOptions()
        options.compressionQuality = 1
        let data = try coder.encode(Image(bitmap: try Self.bitmap(isOpaque: false)), to: format, options: options)
        let file = try WholeImageFile(
            RandomAccessFile(data), coder: coder, format: format, limits: ImageLimits(), baseSide: 16)
        let source = try TileSource(file, tileSide: 64)
        let base = try source.readBase()
        #expect(source.grid.levelCount == 5)
        #expect(base.size == PixelSize(width: 10, height: 7))
        var whole = try coder.decode(data, options: ImageDecodeOptions()).bitmap
        for level in 0..<source.grid.levelCount {
            let key = TileKey(level: level, column: 0, row: 0)
            guard case .ready = source.readiness(of: key) else { Issue.record("\(key) is not ready"); return }
            try source.decode([key], cancellation: CancellationFlag()) { key, tile in
                #expect(peakSignalToNoise(tile.bytes, whole.part(source.grid.region(of: key))) >= 50)
            }
            whole = try whole.halvedForTest()
        }
    }

    /// An uncompressed file in tiles of 48 × 32 pixels.
    static func tiledFile(_ bitmap: Bitmap, isBigEndian: Bool) throws -> Data {
        let (width, height) = (48, 32)
        let (across, down) = ((bitmap.size.width + width - 1) / width, (bitmap.size.height + height - 1) / height)
        let pixels = bitmap.bytes
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        var file = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(0, 4)
        var offsets: [Int] = []
        for tile in 0..<across * down {
            offsets.append(file.count)
            for y in 0..<height {
                for x in 0..<width {
                    let column = min(bitmap.size.width - 1, tile % across * width + x)
                    let row = min(bitmap.size.height - 1, tile / across * height + y)
                    let place = (row * bitmap.size.width + column) * 4
                    file += pixels[place..<place + 3]
                }
            }
        }
        let places = file.count
        for offset in offsets { file += number(offset, 4) }
        let counts = file.count
        for _ in offsets { file += number(width * height * 3, 4) }
        let bits = file.count
        for _ in 0..<3 { file += number(8, 2) }
        let directory = file.count
        let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (256, 4, 1, bitmap.size.width), (257, 4, 1, bitmap.size.height), (258, 3, 3, bits), (259, 4, 1, 1),
            (262, 4, 1, 2), (277, 4, 1, 3), (322, 4, 1, width), (323, 4, 1, height), (324, 4, offsets.count, places),
            (325, 4, offsets.count, counts),
        ]
        file += number(entries.count, 2)
        for entry in entries {
            file += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4) + number(entry.value, 4)
        }
        file += number(0, 4)
        file.replaceSubrange(4..<8, with: number(directory, 4))
        return Data(file)
    }

    private func check(_ data: Data) throws {
        let file = try #require(
            try TIFFRegionFile(RandomAccessFile(data), limits: ImageLimits(), rowPixelCount: 2000, baseSide: 16))
        let source = try TileSource(file, tileSide: 64)
        let base = try source.readBase()
        source.prepareRegions(kept: nil)
        var options = ImageDecodeOptions()
        options.appliesOrientation = false
        var whole = try TIFFCoder().decode(data, options: options).bitmap
        for level in 0..<source.grid.levelCount {
            let size = source.grid.size(ofLevel: level)
            for row in 0..<(size.height + 63) / 64 {
                for column in 0..<(size.width + 63) / 64 {
                    let key = TileKey(level: level, column: column, row: row)
                    try source.decode([key], cancellation: CancellationFlag()) { key, tile in
                        let region = source.grid.storedRegion(of: key)
                        guard source.grid.orientation == .up else { return }
                        #expect(peakSignalToNoise(tile.bytes, whole.part(region)) >= 50, "\(key)")
                    }
                }
            }
            whole = try whole.halvedForTest()
        }
        #expect(base.size == source.grid.size(ofLevel: source.grid.levelCount))
        if source.grid.orientation == .up { #expect(peakSignalToNoise(base.bytes, whole.bytes) >= 45) }
    }
}

extension Bitmap {
    fileprivate func part(_ region: PixelRegion) -> [UInt8] {
        let all = bytes
        return region.rows.flatMap { row -> ArraySlice<UInt8> in
            let start = (row * size.width + region.columns.lowerBound) * 4
            return all[start..<start + region.columns.count * 4]
        }
    }

    fileprivate func halvedForTest() throws -> Bitmap {
        let (old, target) = (bytes, size.reduced(by: 2))
        var pixels: [UInt8] = []
        for y in 0..<target.height {
            let rows = 2 * y..<min(size.height, 2 * y + 2)
            for x in 0..<target.width {
                let columns = 2 * x..<min(size.width, 2 * x + 2)
                for channel in 0..<4 {
                    let sum = rows.reduce(0) { sum, row in
                        columns.reduce(sum) { $0 + Int(old[(row * size.width + $1) * 4 + channel]) }
                    }
                    pixels.append(UInt8((sum + rows.count * columns.count / 2) / (rows.count * columns.count)))
                }
            }
        }
        return try Bitmap(size: target, pixels: pixels)
    }
}
