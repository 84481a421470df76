import FoundationEssentials
import Synchronization
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageLoading
@testable import WebImageTestDoubles

/// The tiles that are decoded, kept and drawn.
@Suite("Pictures in tiles", .timeLimit(.minutes(5)))
struct TiledImageTests {
    /// 1500 × 1100 pixels, as a JPEG file.
    static let file = BaselineJPEG(width: 1500, height: 1100).data()

    /// A queue whose jobs run when the test says so.
    final class ManualQueue: Sendable {
        private let jobs = Mutex<[@Sendable () -> Void]>([])

        var queue: JobQueue {
            JobQueue(limit: 8) { [self] _, work in jobs.withLock { $0.append(work) } }
        }

        var count: Int { jobs.withLock { $0.count } }

        /// Runs jobs until there are no more, or `limit` have run.
        func run(_ limit: Int = .max) {
            var count = 0
            while count < limit, let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job()
                count += 1
            }
        }
    }

    /// A picture with small tiles, whose jobs run by `manual`.
    static func make(
        _ manual: ManualQueue, _ data: Data = file, byteLimit: Int = 64 << 20, spareByteLimit: Int = 1 << 20
    ) throws -> TiledImage {
        let regions = try JPEGRegionFile(RandomAccessFile(data), limits: ImageLimits(), baseSide: 64)
        let source = try TileSource(regions, tileSide: 64)
        let base = try source.readBase()
        source.prepareRegions(kept: nil)
        let settings = TileSettings(
            budget: MemoryBudget(byteLimit: byteLimit), pressure: nil, queue: manual.queue,
            spareByteLimit: spareByteLimit)
        return TiledImage(source, base: base, settings: settings)
    }

    @Test("a picture opens with its base, and shows its tiles")
    func opens() async throws {
        let data = BaselineJPEG(width: 4200, height: 600).data()
        let picture = try await TiledImage.open(data)
        #expect(picture.pixelSize == PixelSize(width: 4200, height: 600))
        #expect(picture.format == .jpeg)
        #expect(picture.levelCount == 2)
        #expect(picture.base.pixelSize == PixelSize(width: 1050, height: 150))
        #expect(picture.base.metadata.originalPixelSize == picture.pixelSize)
        let rect = PointRect(x: 1000, y: 100, width: 800, height: 400)
        let (events, continuation) = AsyncStream.makeStream(of: TileKey.self)
        picture.onTile = { continuation.yield($0) }
        picture.setVisible(rect, scale: 1)
        for await _ in events where picture.missingTiles(for: rect, scale: 1).isEmpty { break }
        let tiles = picture.plan(for: rect, scale: 1)
        #expect(tiles.map(\.key.level).allSatisfy { $0 == 0 })
        #expect(Set(tiles.map(\.key.column)) == [1, 2, 3])
        #expect(picture.failure == nil)
        picture.close()
        #expect(picture.plan(for: rect, scale: 1).isEmpty)
    }

    @Test("a small picture is its base")
    func small() async throws {
        let picture = try await TiledImage.open(try Fixtures.data("photo.jpg"))
        #expect(picture.levelCount == 0)
        #expect(picture.base.pixelSize == picture.pixelSize)
        let rect = PointRect(x: 0, y: 0, width: 100, height: 100)
        picture.setVisible(rect, scale: 2)
        #expect(picture.plan(for: rect, scale: 2).isEmpty)
    }

    @Test("what is no picture is an error, and so is a part of one")
    func errors() async throws {
        await #expect(throws: WebImageError.self) { try await TiledImage.open(Data("no picture".utf8)) }
        await #expect(throws: WebImageError.self) { try await TiledImage.open(Data()) }
        let error = await #expect(throws: WebImageError.self) {
            try await TiledImage.open(Self.file.prefix(Self.file.count / 2))
        }
        #expect(error?.code == .truncatedImageData)
        var limits = ImageLimits()
        limits.maximumSourcePixelCount = 1000
        let large = await #expect(throws: WebImageError.self) { try await TiledImage.open(Self.file, limits: limits) }
        #expect(large?.code == .limitExceeded)
    }

    @Test("the nearest tile to the centre comes first, and those around the visible ones last")
    func order() throws {
        let manual = ManualQueue()
        let picture = try Self.make(manual)
        let keys = Mutex<[TileKey]>([])
        picture.onTile = { key in keys.withLock { $0.append(key) } }
        picture.setVisible(PointRect(x: 320, y: 320, width: 192, height: 192), scale: 1)
        manual.run()
        let order = keys.withLock { $0 }
        #expect(order.first == TileKey(level: 0, column: 6, row: 6))
        let visible = order.prefix(9)
        #expect(Set(visible.map(\.column)) == [5, 6, 7] && Set(visible.map(\.row)) == [5, 6, 7])
        #expect(order.count == 25)
    }

    @Test("tiles that are no longer wanted are not decoded")
    func cancels() throws {
        let manual = ManualQueue()
        let picture = try Self.make(manual)
        picture.setVisible(PointRect(x: 0, y: 0, width: 256, height: 256), scale: 1)
        picture.setVisible(PointRect(x: 1280, y: 960, width: 64, height: 64), scale: 1)
        manual.run()
        let keys = picture.pool.keys
        #expect(picture.loader.decodedCount == 9)
        #expect(keys.allSatisfy { $0.column >= 19 && $0.row >= 14 })
        picture.setVisible(PointRect(x: 0, y: 0, width: 0, height: 0), scale: 1)
        manual.run()
        #expect(picture.loader.decodedCount == 9)
    }

    @Test("coarser tiles stand for missing ones, and finer ones after a zoom out")
    func standIns() throws {
        let manual = ManualQueue()
        let picture = try Self.make(manual)
        let rect = PointRect(x: 256, y: 256, width: 256, height: 256)
        picture.setVisible(rect, scale: 0.25)
        manual.run()
        #expect(picture.plan(for: rect, scale: 0.25).map(\.key) == [TileKey(level: 2, column: 1, row: 1)])
        #expect(picture.plan(for: rect, scale: 1).map(\.key) == [TileKey(level: 2, column: 1, row: 1)])
        let mixed = Mutex<[Int]>([])
        picture.onTile = { [weak picture] _ in
            let levels = picture?.plan(for: rect, scale: 1).map(\.key.level) ?? []
            mixed.withLock { if $0.isEmpty { $0 = levels } }
        }
        picture.setVisible(rect, scale: 1)
        manual.run()
        #expect(mixed.withLock { $0.first == 2 && $0.last == 0 })
        #expect(picture.plan(for: rect, scale: 1).allSatisfy { $0.key.level == 0 })
        let half = picture.plan(for: rect, scale: 0.5)
        #expect(half.contains { $0.key.level == 2 } && half.contains { $0.key.level == 0 })
        #expect(half.map(\.key.level) == half.map(\.key.level).sorted(by: >))
    }

    @Test("tiles cover the visible part without gaps, at every zoom and orientation", arguments: 1...8)
    func covers(_ orientation: Int) throws {
        let grid = TileGrid(
            storedSize: PixelSize(width: 1501, height: 1003),
            orientation: try #require(ImageOrientation(rawValue: orientation)), rowReduction: 8, baseSide: 100, side: 64
        )
        var random = SeededGenerator(seed: UInt64(orientation))
        let plan = TilePlan(grid: grid)
        var compared = 0
        for _ in 0..<200 {
            let rect = PointRect(
                x: .random(in: -100...1500, using: &random), y: .random(in: -100...1500, using: &random),
                width: .random(in: 1...700, using: &random), height: .random(in: 1...700, using: &random))
            let wanted = plan.wanted(for: rect, scale: .random(in: 0.1...3, using: &random))
            let whole = PointRect(
                x: 0, y: 0, width: Double(grid.pixelSize.width), height: Double(grid.pixelSize.height))
            guard let seen = rect.intersection(whole), let first = wanted.visible.first, first.level < grid.levelCount
            else { continue }
            let area = wanted.visible.compactMap { grid.rect(of: $0).intersection(seen) }
                .reduce(0) { $0 + $1.size.width * $1.size.height }
            #expect(abs(area - seen.size.width * seen.size.height) < 1e-6 * max(1, area))
            compared += 1
        }
        #expect(compared > 50)
    }

    @Test("memory stays within the budget over random panning and zooming", arguments: 0..<4)
    func budget(_ seed: Int) throws {
        let manual = ManualQueue()
        let limit = 600 << 10
        let picture = try Self.make(manual, byteLimit: limit, spareByteLimit: 200 << 10)
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<60 {
            let side = Double.random(in: 10...300, using: &random)
            let rect = PointRect(
                x: .random(in: -100...1500, using: &random), y: .random(in: -100...1100, using: &random), width: side,
                height: side)
            let scale = Double.random(in: 0.1...2, using: &random)
            picture.setVisible(rect, scale: scale)
            manual.run(.random(in: 0...40, using: &random))
            _ = picture.plan(for: rect, scale: scale)
            #expect(picture.settingsBudget.usedByteCount <= limit)
            #expect(picture.pool.heldByteCount <= limit)
        }
        manual.run()
        picture.close()
        #expect(picture.settingsBudget.usedByteCount == picture.base.bitmap.byteCount)
    }

    @Test("memory pressure leaves what is visible")
    func pressure() throws {
        let manual = ManualQueue()
        let picture = try Self.make(manual)
        picture.setVisible(PointRect(x: 0, y: 0, width: 128, height: 128), scale: 1)
        manual.run()
        #expect(picture.pool.keys.count == 9)
        picture.pool.relieve(.warning)
        #expect(picture.pool.keys.count == 4)
        #expect(picture.missingTiles(for: PointRect(x: 0, y: 0, width: 128, height: 128), scale: 1).isEmpty)
    }

    @Test("a picture that is let go gives all of its memory back")
    func lifetime() throws {
        let manual = ManualQueue()
        let budget: MemoryBudget
        weak var source: TileSource?
        do {
            let picture = try Self.make(manual)
            budget = picture.settingsBudget
            source = picture.source
            picture.setVisible(PointRect(x: 0, y: 0, width: 500, height: 500), scale: 1)
            manual.run(3)
            #expect(budget.usedByteCount > 0)
        }
        manual.run()
        #expect(budget.usedByteCount == 0)
        #expect(source == nil)
    }

    @Test(
        "a picture whose header has more pixels than any is an error of the limit", arguments: [40_000, 4_000_000_000])
    func endlessHeader(side: Int) {
        let error = #expect(throws: WebImageError.self) {
            try WholeImageFile(
                RandomAccessFile(ScriptedCoder.file(side, side)), coder: ScriptedCoder(), format: .svg,
                limits: ImageLimits())
        }
        #expect(error?.code == .limitExceeded && error?.reason.contains("maximumSourcePixelCount") == true)
        #expect(throws: WebImageError.self) {
            try RowSpool(
                storedSize: PixelSize(width: .max, height: side), orientation: .up, colorSpace: .sRGB,
                reductions: [1, 2], cancellation: CancellationFlag())
        }
    }

    @Test("a row that is too short is none")
    func shortRow() throws {
        let spool = try RowSpool(
            storedSize: PixelSize(width: 4, height: 2), orientation: .up, colorSpace: .sRGB, reductions: [1],
            cancellation: CancellationFlag())
        let row = [UInt8](repeating: 9, count: 16)
        row.withUnsafeBytes { bytes in
            spool.receive(UnsafeRawBufferPointer(rebasing: bytes[..<15]))
            spool.receive(bytes)
        }
        #expect(!spool.isComplete && spool.failure == nil)
    }

    @Test("a failing tile is reported once, and the others are kept")
    func failure() throws {
        let manual = ManualQueue()
        let path = TemporaryPath.make("failing.jpg")
        try Self.file.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let regions = try JPEGRegionFile(
            RandomAccessFile(path: Array(path.utf8) + [0]), limits: ImageLimits(), baseSide: 64)
        let source = try TileSource(regions, tileSide: 64)
        let base = try source.readBase()
        source.prepareRegions(kept: nil)
        let picture = TiledImage(
            source, base: base,
            settings: TileSettings(budget: MemoryBudget(byteLimit: 64 << 20), pressure: nil, queue: manual.queue))
        let failures = Atomic(0)
        picture.onFailure = { _ in failures.add(1, ordering: .relaxed) }
        picture.setVisible(PointRect(x: 0, y: 0, width: 64, height: 64), scale: 1)
        manual.run()
        try Self.file.prefix(Self.file.count / 2).write(to: URL(filePath: path), options: [])
        picture.setVisible(PointRect(x: 0, y: 960, width: 128, height: 128), scale: 1)
        manual.run()
        #expect(failures.load(ordering: .relaxed) == 1)
        #expect(picture.failure != nil)
        #expect(picture.pool.keys.contains(TileKey(level: 0, column: 0, row: 0)))
    }

    @Test("where the base is known, its rows are read when a coarse tile is wanted, and only once")
    func knownBase() throws {
        let manual = ManualQueue()
        let regions = try JPEGRegionFile(RandomAccessFile(Self.file), limits: ImageLimits(), baseSide: 64)
        let source = try TileSource(regions, tileSide: 64)
        let base = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255])
        let picture = TiledImage(
            source, base: base,
            settings: TileSettings(budget: MemoryBudget(byteLimit: 64 << 20), pressure: nil, queue: manual.queue))
        source.prepareRegions(kept: nil)
        let corner = PointRect(x: 0, y: 0, width: 64, height: 64)
        picture.setVisible(corner, scale: 1)
        manual.run()
        #expect(picture.missingTiles(for: corner, scale: 1).isEmpty)
        let coarse = TileKey(level: 3, column: 0, row: 0)
        let isUnread = if case .unread = source.readiness(of: coarse) { true } else { false }
        #expect(isUnread, "nothing is read unasked")
        picture.setVisible(corner, scale: 0.125)
        #expect(source.takeReading(for: coarse) == nil, "the reading has been taken")
        manual.run()
        #expect(picture.missingTiles(for: corner, scale: 0.125).isEmpty)
        #expect(!picture.covers(corner, scale: 0.01) && picture.failure == nil)
    }

    @Test("rows that cannot be read for a coarse tile are a failure, and finer tiles still come")
    func unreadableRows() throws {
        let manual = ManualQueue()
        let path = TemporaryPath.make("cut.jpg")
        try Self.file.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let regions = try JPEGRegionFile(
            RandomAccessFile(path: Array(path.utf8) + [0]), limits: ImageLimits(), baseSide: 64)
        let source = try TileSource(regions, tileSide: 64)
        source.prepareRegions(kept: nil)
        let picture = TiledImage(
            source, base: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255]),
            settings: TileSettings(budget: MemoryBudget(byteLimit: 64 << 20), pressure: nil, queue: manual.queue))
        let corner = PointRect(x: 0, y: 0, width: 64, height: 64)
        picture.setVisible(corner, scale: 1)
        manual.run()
        try Self.file.prefix(Self.file.count / 2).write(to: URL(filePath: path), options: [])
        picture.setVisible(corner, scale: 0.125)
        manual.run()
        #expect(picture.failure != nil)
        #expect(picture.missingTiles(for: corner, scale: 1).isEmpty)
    }

    @Test("what is kept of a file is found again, and not after a change of the file")
    func keptOfAFile() async throws {
        let path = TemporaryPath.make("second.jpg")
        try Self.file.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk())
        let store = CachedTileIndex(of: "second", in: cache)
        func open() throws -> RandomAccessFile { try RandomAccessFile(path: Array(path.utf8) + [0]) }
        #expect(try store.index(of: open()) == nil)
        store.keep(Data([1, 2, 3]), of: try open())
        await cache.flush()
        #expect(try store.index(of: open()) == Data([1, 2, 3]))
        try (Self.file + Data([0])).write(to: URL(filePath: path), options: [])
        #expect(try store.index(of: open()) == nil)
    }

    @Test("opening a file keeps its index, and the second visit scans nothing")
    func secondVisit() async throws {
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk())
        let store = CachedTileIndex(of: "large", in: cache)
        let base = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255])
        var readByteCounts: [Int] = []
        for _ in 0..<2 {
            let (manual, file) = (ManualQueue(), RandomAccessFile(Self.largeFile))
            let picture = try await TiledImage.open(file: file, store: store, settings: .by(manual), base: base)
            manual.run()
            readByteCounts.append(file.readByteCount)
            try await expectKept(picture, manual, store, cache, of: RandomAccessFile(Self.largeFile))
            picture.close()
        }
        // Parts of it are read to find out whether it is the same file.
        #expect(readByteCounts[0] > Self.largeFile.count, "\(Self.largeFile.count)")
        #expect(readByteCounts[1] < readByteCounts[0] - Self.largeFile.count / 2, "\(Self.largeFile.count)")
    }

    @Test("an app opens a picture by its address or its path")
    func address() async throws {
        let path = TemporaryPath.make("opened.jpg")
        try Self.file.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for address in [URL(filePath: path), "file://" + path] as [any ImageAddress] {
            let picture = try await TiledImage.open(address)
            #expect(picture.format == .jpeg)
            picture.close()
        }
    }

    @Test("a picture of a server is read from the cache's file, beside which its index is kept for the second visit")
    func remote() async throws {
        let folder = TemporaryPath.make("cache")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cache = ImageCache(directory: folder)
        let loads = Atomic(0)
        let loader = ClosureImageLoader { _ in
            loads.add(1, ordering: .relaxed)
            return Self.largeFile
        }
        let manager = WebImageManager(cache: cache, loader: loader)
        let url = try #require(URL(string: "https://example.com/large.jpg"))
        let key = manager.cacheKey(for: url)
        for _ in 0..<2 {
            let manual = ManualQueue()
            let base = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255])
            let picture = try await TiledImage.open(
                url, options: [], manager: manager, context: WebImageContext(), settings: .by(manual), base: base)
            #expect(picture.pixelSize == PixelSize(width: 3000, height: 2400))
            let file = try #require(cache.openFile(for: key))
            #expect(try file.all() == Self.largeFile)
            try await expectKept(picture, manual, CachedTileIndex(of: key, in: cache), cache, of: file)
            picture.close()
        }
        #expect(loads.load(ordering: .relaxed) == 1)
    }

    @Test(
        "a cache in front of another one, and several together, bring the file for tiles, and not its bytes in memory",
        arguments: ForwardingCacheTests.Front.allCases)
    func fileOfOtherCaches(front: ForwardingCacheTests.Front) async throws {
        let directory = try CacheDirectory()
        let cache = front.cache(before: ImageCache(directory: directory.path))
        let manager = WebImageManager(cache: cache, loader: ClosureImageLoader { _ in Self.file })
        let url = try #require(URL(string: "https://example.com/large.jpg"))
        let request = ImageRequest(url)
        let plan = try #require(manager.plan(of: request))
        for _ in ["loaded", "from the disk"] {
            let (file, isOnDisk) = try await TiledImage.file(of: request, by: plan, manager)
            let isOpen = file.shared != nil
            #expect(isOnDisk && isOpen)
            #expect(try file.all() == Self.file)
        }
    }

    private static let largeFile = BaselineJPEG(width: 3000, height: 2400).data()

    /// Runs what opening has begun, and checks that it is kept, and that the last tile can be decoded with it.
    private func expectKept(
        _ picture: TiledImage, _ manual: ManualQueue, _ store: CachedTileIndex, _ cache: ImageCache,
        of file: RandomAccessFile
    ) async throws {
        manual.run()
        await cache.flush()
        let index = try #require(picture.source.file.keptIndex)
        #expect(store.index(of: file) == index)
        let corner = PointRect(x: 2990, y: 2390, width: 10, height: 10)
        picture.setVisible(corner, scale: 1)
        manual.run()
        #expect(picture.missingTiles(for: corner, scale: 1).isEmpty && picture.failure == nil)
    }
}

extension TileSettings {
    fileprivate static func by(_ manual: TiledImageTests.ManualQueue) -> TileSettings {
        TileSettings(budget: MemoryBudget(byteLimit: 64 << 20), pressure: nil, queue: manual.queue)
    }
}

extension TiledImage {
    /// The budget that a test has given.
    var settingsBudget: MemoryBudget { pool.budget }
}
