import Foundation
import Synchronization
import Testing
import WebImageCache
import WebImageCoders
import WebImageHTTP
import WebImageLoading
import WebImageTestSupport

@testable import WebImageCore
@testable import WebImageIsolation
@testable import WebImageTestDoubles

/// Workers that decode several pictures of an origin.
@Suite("Kept workers", .timeLimit(.minutes(5)))
struct KeptWorkerTests {
    private static let file = Data("any file".utf8)
    private static let idle = Duration.seconds(10)

    private static func kept(_ pressure: MemoryPressure = MemoryPressure(source: NoMemorySignals())) -> KeptWorkers? {
        KeptWorkers(.perOrigin(idle: idle), pressure: pressure)
    }

    private static func options(_ address: String?) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.address = address.flatMap { URL(string: $0) }
        return options
    }

    private static let site = options("https://example.org/a/1.avif")

    /// A picture of so many pixels a side, of which all are 9.
    private static func image(side: Int = 1) throws -> WorkerReply {
        let size = PixelSize(width: side, height: side)
        let bitmap = try Bitmap(size: size, pixels: [UInt8](repeating: 9, count: size.area * 4))
        let image = Image(bitmap: bitmap, metadata: ImageMetadata(format: .avif, originalPixelSize: size))
        return .image(ImageMessage(image, pixels: side == 1 ? .inline(bitmap.bytes) : .buffer(index: 0, offset: 0)))
    }

    /// Workers that answer decodes with these, one after the other.
    private static func workers(_ replies: [[WorkerReply]], then: [WorkerReply] = []) -> ScriptedWorkers {
        let remaining = Mutex(replies)
        return ScriptedWorkers { request in
            switch request {
            case .decode: remaining.withLock { $0.isEmpty ? then : $0.removeFirst() }
            case .buffer: (try? [image(side: 64)]) ?? []
            default: []
            }
        }
    }

    private static let damage = WebImageError(
        .badImageData, stage: .decode, kind: .permanent, reason: "this was answered by a worker")

    @Test("small pictures of an origin and a format share a worker, and no others do")
    func sharing() throws {
        let workers = WorkerThreads()
        let kept = Self.kept()
        let png = IsolatedCoder(kind: .png, source: workers, kept: kept)
        let picture = try Data(contentsOf: URL(filePath: Fixtures.path("animated.png")))
        var expected = 0
        for (address, isShared) in [
            ("https://example.org/a.png", false), ("https://EXAMPLE.org:443/b/c.png", true),
            ("http://example.org/a.png", false), ("https://example.org:444/a.png", false),
            ("file:///icons/a.png", false), ("file:///icons/b.png", true), ("file:///icons/large/a.png", false),
            ("data:image/png,", false), ("data:image/png,", false),
        ] {
            _ = try png.properties(of: picture, isComplete: true, options: Self.options(address))
            if !isShared { expected += 1 }
            #expect(workers.startedCount == expected, "\(address)")
        }
        let gif = IsolatedCoder(kind: .gif, source: workers, kept: kept)
        let other = try Data(contentsOf: URL(filePath: Fixtures.path("animated.gif")))
        _ = try gif.properties(of: other, isComplete: true, options: Self.options("file:///icons/a.gif"))
        #expect(workers.startedCount == expected + 1)
        // At most four wait, and those of data URLs not at all.
        #expect(workers.runningCount == 4)
    }

    @Test("by default each picture has a worker of its own")
    func perPicture() throws {
        #expect(KeptWorkers(.perPicture) == nil && DecoderIsolation.all.workers == .perPicture)
        let workers = Self.workers([], then: [try Self.image()])
        let coder = IsolatedCoder(kind: .avif, source: workers, kept: KeptWorkers(.perPicture))
        for _ in 0..<3 { _ = try coder.decode(Self.file, options: Self.site) }
        #expect(workers.startedCount == 3 && workers.endedCount == 3)
    }

    @Test("the pictures of a shared worker are right, one after the other")
    func pictures() throws {
        let workers = WorkerThreads()
        let coder = IsolatedCoder(kind: .png, source: workers, kept: Self.kept())
        for side in [1, 200, 90, 150, 3, 300, 200] {
            let size = PixelSize(width: side, height: side)
            let pixels = (0..<size.area * 4).map { UInt8(truncatingIfNeeded: $0 &* side | 3) }
            let bitmap = try Bitmap(size: size, pixels: pixels)
            let file = try ImageCodersManager.shared.encode(
                Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
            let expected = try ImageCodersManager.shared.decode(file, options: ImageDecodeOptions()).bitmap
            let found = try coder.decode(file, options: Self.site).bitmap
            #expect(found.bytes == expected.bytes)
            #expect(found.sharedBuffer == nil)
        }
        #expect(workers.startedCount < 4)
    }

    @Test("an error in a kept worker is that of a fresh one, which decodes the picture once more")
    func spoilt() throws {
        let workers = Self.workers([[try Self.image()], [.failed(Self.damage)], [try Self.image()]])
        let coder = IsolatedCoder(kind: .avif, source: workers, kept: Self.kept())
        for _ in 0..<2 { _ = try coder.decode(Self.file, options: Self.site) }
        #expect(workers.startedCount == 2 && workers.endedCount == 1)
    }

    @Test("a limit that a kept worker runs into is not the next picture's, either")
    func exhausted() throws {
        let limit = WebImageError(
            .limitExceeded, stage: .decode, kind: .policy, reason: "this was answered by a worker")
        let workers = Self.workers([[try Self.image()], [.failed(limit)], [try Self.image()]])
        let coder = IsolatedCoder(kind: .avif, source: workers, kept: Self.kept())
        for _ in 0..<2 { _ = try coder.decode(Self.file, options: Self.site) }
        #expect(workers.startedCount == 2 && workers.endedCount == 1)
    }

    @Test("the second try of a picture has a worker of its own, also where others of its origin are kept")
    func secondTry() throws {
        let coder = Mutex<IsolatedCoder?>(nil)
        let decodes = Mutex(0)
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            guard case .decode = request else { return [] }
            let number = decodes.withLock { decodes in
                decodes += 1
                return decodes
            }
            // Two pictures at a time, whose workers are both kept.
            if number == 1 { _ = try? coder.withLock { $0 }?.decode(Self.file, options: Self.site) }
            return number == 3 ? [.failed(Self.damage)] : (try? [Self.image()]) ?? []
        }
        coder.withLock { $0 = IsolatedCoder(kind: .avif, source: workers, kept: Self.kept()) }
        for _ in 0..<2 { _ = try coder.withLock { $0 }?.decode(Self.file, options: Self.site) }
        #expect(workers.startedCount == 3)
    }

    @Test("what a kept worker lies is the error of that worker, which ends, and a fresh one decodes the picture")
    func lie() throws {
        let lie = WorkerReply.noImage
        let workers = Self.workers([[try Self.image()], [lie], [try Self.image()]])
        let coder = IsolatedCoder(kind: .avif, source: workers, kept: Self.kept())
        for _ in 0..<2 { _ = try coder.decode(Self.file, options: Self.site) }
        #expect(workers.startedCount == 2 && workers.endedCount == 1)
    }

    @Test("a worker that fails is not kept, and a damaged picture is decoded at most twice")
    func damaged() throws {
        let workers = Self.workers([[.failed(Self.damage)], [try Self.image()]], then: [.failed(Self.damage)])
        let coder = IsolatedCoder(kind: .avif, source: workers, kept: Self.kept())
        let fails = { _ = try coder.decode(Self.file, options: Self.site) }
        #expect(throws: WebImageError.self) { try fails() }
        #expect(workers.startedCount == 1 && workers.endedCount == 1)
        try fails()
        let error = #expect(throws: WebImageError.self) { try fails() }
        #expect(error?.reason == Self.damage.reason && workers.startedCount == 3 && workers.endedCount == 3)
    }

    @Test("a cancelled picture ends its worker, and is not decoded again")
    func cancelled() throws {
        let flag = CancellationFlag()
        let image = try Self.image()
        let isSecond = Atomic(false)
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            guard case .decode = request else { return [] }
            guard isSecond.exchange(true, ordering: .relaxed) else { return [image] }
            flag.cancel()
            return []
        }
        let coder = IsolatedCoder(kind: .avif, source: workers, kept: Self.kept())
        var options = Self.site
        options.cancellation = flag
        _ = try coder.decode(Self.file, options: options)
        let error = #expect(throws: WebImageError.self) { try coder.decode(Self.file, options: options) }
        #expect(error?.isCancelled == true && workers.startedCount == 1 && workers.endedCount == 1)
    }

    @Test("the pixels of a kept worker are copied, and a large picture ends its worker instead")
    func copies() throws {
        let small = Self.workers([], then: [.needsBuffer(byteCount: 64 * 64 * 4)])
        let coder = IsolatedCoder(kind: .avif, source: small, kept: Self.kept())
        let image = try coder.decode(Self.file, options: Self.site)
        #expect(image.bitmap.sharedBuffer == nil && small.endedCount == 0)
        let large = ScriptedWorkers { request in
            switch request {
            case .decode: [.needsBuffer(byteCount: 1024 * 1024 * 4)]
            case .buffer: (try? [Self.image(side: 1024)]) ?? []
            default: []
            }
        }
        let other = IsolatedCoder(kind: .avif, source: large, kept: Self.kept())
        let shared = try other.decode(Self.file, options: Self.site)
        #expect(shared.bitmap.sharedBuffer != nil && large.endedCount == 1)
    }

    @Test("a worker that has had much memory or many pictures is not kept")
    func old() throws {
        let workers = Self.workers([], then: [.needsBuffer(byteCount: 64 * 64 * 4)])
        let kept = Self.kept()
        let coder = IsolatedCoder(kind: .avif, source: workers, kept: kept)
        // Each asks for another buffer, and has four in its life.
        for _ in 0..<3 { _ = try coder.decode(Self.file, options: Self.site) }
        #expect(workers.startedCount == 1 && workers.endedCount == 1)
        let many = Self.workers([], then: [try Self.image()])
        let other = IsolatedCoder(kind: .avif, source: many, kept: kept)
        for _ in 0..<100 { _ = try other.decode(Self.file, options: Self.site) }
        #expect(many.startedCount == 1 && many.endedCount == 1)
        let files = Self.workers([], then: [try Self.image()])
        let third = IsolatedCoder(kind: .avif, source: files, kept: kept)
        for megabytes in [1, 20, 30] {
            #expect(files.endedCount == 0)
            _ = try third.decode(Data(count: megabytes << 20), options: Self.site)
        }
        #expect(files.startedCount == 1 && files.endedCount == 1)
    }

    @Test("a kept worker gets its files in the same memory, which may be used by no other worker")
    func fileMemory() throws {
        let source = WorkerThreads()
        let coder = IsolatedCoder(kind: .bmp, source: source, kept: Self.kept())
        for side in [200, 180, 200] {
            let size = PixelSize(width: side, height: side)
            let pixels = (0..<size.area * 4).map { UInt8(truncatingIfNeeded: $0 &* side | 3) }
            let file = Self.bmp(size, pixels)
            let found = try coder.decode(file, options: Self.site).bitmap
            let expected = try ImageCodersManager.shared.decode(file, options: ImageDecodeOptions()).bitmap
            #expect(found.bytes == expected.bytes)
        }
        #expect(source.startedCount == 1 && source.bufferCount == 2)
    }

    /// 32 bits a pixel.
    private static func bmp(_ size: PixelSize, _ pixels: [UInt8]) -> Data {
        func bytes(_ values: [UInt32]) -> [UInt8] {
            values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        }
        let (width, height) = (UInt32(size.width), UInt32(size.height))
        let head = [0x42, 0x4D] + bytes([54 + UInt32(pixels.count), 0, 54])
        return Data(head + bytes([40, width, height, 1 | 32 << 16, 0, 0, 0, 0, 0, 0]) + pixels)
    }

    @Test("kept workers end after their time, under memory pressure, and with the settings")
    func ends() throws {
        let pressure = MemoryPressure(source: NoMemorySignals())
        var kept = Self.kept(pressure)
        let workers = Self.workers([], then: [try Self.image()])
        func decode() throws {
            _ = try IsolatedCoder(kind: .avif, source: workers, kept: kept).decode(Self.file, options: Self.site)
        }
        try decode()
        kept?.dropIdle(at: .now)
        #expect(workers.endedCount == 0)
        kept?.dropIdle(at: .now + Self.idle + .seconds(1))
        #expect(workers.endedCount == 1)
        try decode()
        pressure.report(.warning)
        #expect(workers.endedCount == 2)
        try decode()
        kept = nil
        #expect(workers.startedCount == 3 && workers.endedCount == 3)
    }

    @Test("rows that are handed on come from a worker of their own")
    func rows() throws {
        final class Receiver: PixelRowReceiver {
            func receive(_ row: UnsafeRawBufferPointer) {}
        }
        let workers = Self.workers([], then: [try Self.image()])
        let coder = IsolatedCoder(kind: .avif, source: workers, kept: Self.kept())
        var options = Self.site
        options.rowReceiver = Receiver()
        for _ in 0..<2 { _ = try coder.decode(Self.file, options: options) }
        #expect(workers.startedCount == 2 && workers.endedCount == 2)
    }

    @Test("files and loads say where their pictures come from, and data URLs do not")
    func origins() async throws {
        let origins = Mutex<[DecodeOrigin?]>([])
        let coder = ScriptedCoder { options in
            origins.withLock { $0.append(options.address.flatMap { DecodeOrigin($0) }) }
        }
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: "origin-\(UUID().uuidString)")
        try ScriptedCoder.file(3, 2).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try Image(contentsOf: file, coder: coder)
        let manager = WebImageManager(
            cache: ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk()),
            loader: ImageLoadersManager(loaders: [DataURLLoader(), FileLoader()]), coder: coder)
        _ = try await manager.image(for: ImageRequest(file))
        let data = try #require(URL(string: "data:," + String(decoding: ScriptedCoder.file(3, 2), as: UTF8.self)))
        _ = try await manager.image(for: ImageRequest(data))
        let expected = try #require(DecodeOrigin(folder.appending(path: "another")))
        #expect(origins.withLock { $0 } == [expected, expected, nil])
    }
}
