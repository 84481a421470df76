import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageLoading
@testable import WebImageTestDoubles

/// Tiles of baseline files are made into small files; their pixels must be those of the whole decode.
@Suite("Regions of JPEG files")
struct JPEGRegionTests {
    static let layouts: [BaselineJPEG] = {
        let samplings: [[(Int, Int)]] = [
            [(1, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)],
            [(4, 1), (1, 1), (1, 1)], [(1, 1)], [(2, 2)],
        ]
        var layouts: [BaselineJPEG] = []
        for (place, sampling) in samplings.enumerated() {
            for interval in [0, 5] {
                layouts.append(BaselineJPEG(sampling: sampling, restartInterval: interval, seed: UInt64(place + 1)))
            }
        }
        layouts.append(BaselineJPEG(sampling: [(1, 1), (1, 1), (1, 1), (1, 1)], isAdobe: true))
        layouts.append(BaselineJPEG(width: 1, height: 1))
        layouts.append(BaselineJPEG(width: 8, height: 700, restartInterval: 1))
        layouts.append(BaselineJPEG(width: 1201, height: 9))
        return layouts
    }()

    static func open(_ data: Data, baseSide: Int = 16) throws -> JPEGRegionFile {
        try JPEGRegionFile(RandomAccessFile(data), limits: ImageLimits(), baseSide: baseSide)
    }

    @Test("tiles are the whole decode, for every layout and reduction", arguments: layouts)
    func tilesAreWhole(_ layout: BaselineJPEG) throws {
        let data = layout.data()
        let check = try TileCheck(Self.open(data))
        try check.expectEqual { try JPEGCoder().whole(data, reduction: $0, ownScaling: 8) }
    }

    @Test("tiles are upright, for every orientation", arguments: 1...8)
    func tilesAreUpright(_ orientation: Int) throws {
        let data = BaselineJPEG(width: 171, height: 133, orientation: orientation).data()
        let check = try TileCheck(Self.open(data))
        #expect(check.source.grid.orientation.rawValue == orientation)
        try check.expectEqual { try JPEGCoder().whole(data, reduction: $0, ownScaling: 8) }
    }

    @Test(
        "tiles of real files have their colours and profiles",
        arguments: [
            "photo.jpg", "photo-restart.jpg", "cmyk.jpg", "gray.jpg", "display-p3.jpg", "gray-profile.jpg",
            "orientation-6.jpg", "broken-profile.jpg",
        ])
    func fixtures(_ name: String) throws {
        let data = try Fixtures.data(name)
        let check = try TileCheck(Self.open(data))
        #expect(check.source.grid.levelCount > 0)
        try check.expectEqual { try JPEGCoder().whole(data, reduction: $0, ownScaling: 8) }
    }

    @Test("a progressive file is read once for all of its tiles")
    func progressive() throws {
        let data = try Fixtures.data("photo-progressive.jpg")
        let file = try Self.open(data)
        let check = try TileCheck(file)
        // Its rows are halved where a whole decode scales by itself.
        try check.expectEqual({ reduction in
            try JPEGCoder().whole(data, reduction: reduction, ownScaling: reduction >= file.rowReduction ? 8 : 1)
        })
    }

    @Test("a kept index gives the same tiles without reading the scan")
    func keptIndex() throws {
        let data = BaselineJPEG(width: 1500, height: 900).data()
        let first = try Self.open(data)
        let check = try TileCheck(first)
        let kept = try #require(first.keptIndex)
        let file = RandomAccessFile(data)
        let second = try TileCheck(
            JPEGRegionFile(file, limits: ImageLimits(), baseSide: 16), kept: kept)
        let before = file.readByteCount
        let key = TileKey(level: 0, column: 3, row: 3)
        try second.source.decode([key], cancellation: CancellationFlag()) { _, _ in }
        #expect(file.readByteCount - before < data.count / 8)
        #expect(try second.assemble(level: 1).bytes == check.assemble(level: 1).bytes)
    }

    @Test("an index of another file, or a damaged one, is made anew")
    func damagedIndex() throws {
        let data = BaselineJPEG().data()
        let kept = try #require(
            try {
                let file = try Self.open(data)
                _ = try file.prepareRegions(kept: nil, cancellation: CancellationFlag()) {}
                return file.keptIndex
            }())
        let other = BaselineJPEG(width: 999, height: 64).data()
        #expect(try !Self.open(other).accepts(kept))
        #expect(try !Self.open(data).accepts(kept.dropLast()))
        #expect(try !Self.open(data).accepts(Data()))
        var wrong = kept
        wrong[20] = 0xFF
        wrong[23] = 0xFF
        #expect(try !Self.open(data).accepts(wrong))
        #expect(try Self.open(data).accepts(kept))
    }

    @Test("damage gives an error or a picture", arguments: 0..<8)
    func damage(_ seed: Int) throws {
        var mutator = FileMutator(seed: UInt64(seed) + 77)
        let data = BaselineJPEG(width: 120, height: 90, restartInterval: seed % 2 * 3, seed: UInt64(seed)).data()
        for _ in 0..<40 {
            let damaged = mutator.mutate(data)
            do {
                let check = try TileCheck(Self.open(damaged))
                for level in 0..<check.source.grid.levelCount { _ = try check.assemble(level: level) }
            } catch {}
        }
    }

    @Test("bytes that contradict the index are an error, and nothing worse", arguments: 0..<8)
    func contradiction(_ seed: Int) throws {
        let layout = BaselineJPEG(width: 400, height: 200, restartInterval: seed % 2 * 7, seed: UInt64(seed))
        let data = layout.data()
        let file = try Self.open(data)
        _ = try file.prepareRegions(kept: nil, cancellation: CancellationFlag()) {}
        let kept = try #require(file.keptIndex)
        var (mutator, failures) = (FileMutator(seed: UInt64(seed)), 0)
        for _ in 0..<60 {
            // Both are damaged: the index by whole numbers, the file behind its header.
            let index = seed < 4 ? kept : mutator.mutate(kept)
            let damaged = data.prefix(700) + mutator.mutate(data.dropFirst(700))
            do {
                let opened = try Self.open(Data(damaged))
                guard opened.accepts(index) else { continue }
                let region = PixelRegion(PixelSize(width: 400, height: 200))
                try opened.decode([region], reduction: 1, cancellation: CancellationFlag()) { _, _ in }
            } catch {
                failures += 1
            }
        }
        #expect(failures > 0)
    }

    @Test("a file that is cut off after it was opened fails clearly")
    func cutOff() throws {
        let data = BaselineJPEG(width: 800, height: 600).data()
        let path = TemporaryPath.make("cut-off.jpg")
        try data.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let access = try RandomAccessFile(path: Array(path.utf8) + [0])
        let check = try TileCheck(JPEGRegionFile(access, limits: ImageLimits(), baseSide: 16))
        try data.prefix(data.count / 2).write(to: URL(filePath: path), options: [])
        let last = TileKey(level: 0, column: 0, row: 8)
        let error = #expect(throws: WebImageError.self) {
            try check.source.decode([last], cancellation: CancellationFlag()) { _, _ in }
        }
        #expect([.truncatedImageData, .badImageData].contains(error?.code))
        try check.source.decode([TileKey(level: 0, column: 0, row: 0)], cancellation: CancellationFlag()) { _, _ in }
    }
}

extension JPEGRegionFile {
    /// Whether an index counts as one of this file.
    func accepts(_ kept: Data) -> Bool {
        let stopped = CancellationFlag()
        stopped.cancel()
        return (try? prepareRegions(kept: kept, cancellation: stopped) {}) == true
    }
}
