import Foundation
import Synchronization
import Testing
import WebImageCore
import WebImageDecoder
import WebImageIsolation
import WebImageTestSupport

@testable import WebImageCoders

/// A worker's misdeed costs its picture, and is over then.
@Suite("Sessions with workers", .timeLimit(.minutes(5)))
struct WorkerSessionTests {
    private static let file = Data("any file".utf8)

    /// A picture of 64 × 64 pixels in the first buffer.
    fileprivate static func image(_ change: (inout ImageMessage) -> Void = { _ in }) throws -> WorkerReply {
        let size = PixelSize(width: 64, height: 64)
        let bitmap = try Bitmap(size: size, pixels: [UInt8](repeating: 7, count: size.area * 4))
        let image = Image(bitmap: bitmap, metadata: ImageMetadata(format: .avif, originalPixelSize: size))
        var message = ImageMessage(image, pixels: .buffer(index: 0, offset: 0))
        change(&message)
        return .image(message)
    }

    @Test("a worker ends with the picture, before the app has the pixels")
    func ending() throws {
        let reply = try Self.image()
        let workers = ScriptedWorkers { request in
            switch request {
            case .decode: [.needsBuffer(byteCount: 1 << 20)]
            case .buffer: [reply]
            default: []
            }
        }
        let image = try IsolatedCoder(kind: .avif, source: workers).decode(Self.file, options: ImageDecodeOptions())
        // The buffer is empty, as no worker has written it.
        #expect(image.bitmap.bytes == [UInt8](repeating: 0, count: 64 * 64 * 4))
        #expect(workers.startedCount == 1 && workers.endedCount == 1)
    }

    @Test("a lie ends the worker, and is one error")
    func lie() throws {
        let reply = try Self.image { $0.bitmap.pixels = .buffer(index: 0, offset: 1 << 40) }
        let workers = ScriptedWorkers { request in
            switch request {
            case .decode: [.needsBuffer(byteCount: 1 << 20)]
            case .buffer: [reply]
            default: []
            }
        }
        let error = #expect(throws: WebImageError.self) {
            try IsolatedCoder(kind: .avif, source: workers).decode(Self.file, options: ImageDecodeOptions())
        }
        #expect(error?.code == .badImageData && error?.kind == .permanent)
        #expect(workers.endedCount == 1)
    }

    @Test("bytes that are no message end the worker")
    func noise() {
        for packet in [[], [0], [7, 7, 7], [0, 99], [0] + [UInt8](repeating: 255, count: 60_000)] as [[UInt8]] {
            let workers = ScriptedWorkers { request -> [[UInt8]] in
                if case .decode = request { [packet] } else { [] }
            }
            let error = #expect(throws: WebImageError.self) {
                try IsolatedCoder(kind: .avif, source: workers).decode(Self.file, options: ImageDecodeOptions())
            }
            #expect(error?.code == .badImageData && workers.endedCount == 1)
        }
    }

    @Test("a silent worker is ended by a cancellation")
    func silence() {
        let flag = CancellationFlag()
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            if case .decode = request { flag.cancel() }
            return []
        }
        var options = ImageDecodeOptions()
        options.cancellation = flag
        let error = #expect(throws: WebImageError.self) {
            try IsolatedCoder(kind: .avif, source: workers).decode(Self.file, options: options)
        }
        #expect(error?.code == .cancelled && workers.endedCount == 1)
    }

    @Test("a worker that never stops talking is ended by a cancellation")
    func chatter() {
        let flag = CancellationFlag()
        let progress = [WorkerReply](repeating: .progress, count: 1000)
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            switch request {
            case .openRegions: [.regions(try? RegionFileMessage(messageBytes: Self.largeFile))]
            case .prepareRegions: progress
            default: []
            }
        }
        let count = Atomic(0)
        let error = #expect(throws: WebImageError.self) {
            let file = try #require(
                try IsolatedCoder(kind: .png, source: workers).openRegions(
                    of: RandomAccessFile(Self.file), limits: ImageLimits(), in: .sRGB))
            _ = try file.prepareRegions(kept: nil, cancellation: flag) {
                if count.add(1, ordering: .relaxed).newValue == 10 { flag.cancel() }
            }
        }
        #expect(error?.code == .cancelled && count.load(ordering: .relaxed) == 10)
        #expect(workers.endedCount == workers.startedCount)
    }

    @Test("an answer of very many parts ends as well")
    func endlessParts() throws {
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            switch request {
            case .openRegions: [.regions(try? RegionFileMessage(messageBytes: Self.largeFile))]
            case .prepareRegions: [WorkerReply](repeating: .progress, count: 1 << 15)
            default: []
            }
        }
        var limits = ImageLimits()
        limits.maximumDecodeDuration = .nanoseconds(1)
        let error = #expect(throws: WebImageError.self) {
            let coder = IsolatedCoder(kind: .png, source: workers)
            let file = try coder.openRegions(of: RandomAccessFile(Self.file), limits: limits, in: .sRGB)
            _ = try file?.prepareRegions(kept: nil, cancellation: CancellationFlag()) {}
        }
        #expect(error?.code == .limitExceeded && workers.endedCount == workers.startedCount)
    }

    @Test("a damaged frame does not end the worker of a file that arrives")
    func damagedFrame() throws {
        let image = try Self.image { image in
            image.metadata.format = .gif
            image.metadata.frameCount = 2
            image.bitmap.size = PixelSize(width: 1, height: 1)
            image.bitmap.pixels = .inline([0, 0, 0, 0])
            image.animation = try? AnimationMessage(messageBytes: Self.twoFrames)
        }
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            switch request {
            case .update: [image]
            case .frame: [.failed(.damaged(.gif, "a frame"))]
            default: []
            }
        }
        let decoder = IsolatedCoder(kind: .gif, source: workers).makeProgressiveDecoder(options: ImageDecodeOptions())
        let frames = try decoder.update(Self.file)?.animation
        #expect(throws: WebImageError.self) { try frames?.frame(at: 1) }
        #expect(workers.endedCount == 0)
        #expect(try decoder.update(Self.file) != nil)
        #expect(workers.startedCount == 1)
    }

    private static let twoFrames: [UInt8] = {
        var message = MessageWriter()
        message.write(0)
        message.write([Duration.seconds(1), .seconds(1)])
        message.write(false)
        return message.bytes
    }()

    private static let largeFile: [UInt8] = {
        var message = MessageWriter()
        message.write(ImageFormat.png)
        message.write(PixelSize(width: 2000, height: 1000))
        message.write(ImageOrientation.up)
        message.write(ColorSpace.sRGB)
        message.write(2048)
        message.write(2)
        message.write(true)
        message.write(false)
        return message.bytes
    }()

    @Test("a load that is cancelled before it begins starts no worker")
    func cancelledBefore() {
        let workers = ScriptedWorkers { _ -> [WorkerReply] in [] }
        var options = ImageDecodeOptions()
        options.cancellation = CancellationFlag()
        options.cancellation?.cancel()
        #expect(throws: WebImageError.self) {
            try IsolatedCoder(kind: .avif, source: workers).decode(Self.file, options: options)
        }
        #expect(workers.startedCount == 0)
    }

    @Test("rows of another size than the file's never reach their receiver")
    func wrongRows() throws {
        final class Counter: PixelRowReceiver {
            let count = Atomic(0)
            func receive(_ row: UnsafeRawBufferPointer) { count.add(1, ordering: .relaxed) }
        }
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            switch request {
            case .openRegions: [.regions(try? RegionFileMessage(messageBytes: Self.largeFile))]
            case .readRows: [.needsBuffer(byteCount: 1 << 20)]
            case .buffer: [.rows(RowsMessage(count: 1, bytesPerRow: 7996, buffer: 0))]
            default: []
            }
        }
        let rows = Counter()
        let file = try #require(
            try IsolatedCoder(kind: .png, source: workers).openRegions(
                of: RandomAccessFile(Self.file), limits: ImageLimits(), in: .sRGB))
        #expect(throws: WebImageError.self) {
            try file.readRows(reducedBy: 1, into: rows, cancellation: CancellationFlag())
        }
        #expect(rows.count.load(ordering: .relaxed) == 0)
    }

    @Test("frames of another size than the first are refused")
    func wrongFrames() throws {
        let frames = try DecoderKind.avif.coder?.animatedCoder?.makeAnimation(
            of: FuzzSeeds.data("animated.avif"), options: ImageDecodeOptions())
        let animation = AnimationMessage(try #require(frames))
        let frame = try #require(try frames?.frame(at: 0))
        let small = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            switch request {
            case .animate: [.animation(animation)]
            case .properties: [.properties(ImageProperties(format: .avif, pixelSize: PixelSize(width: 9, height: 9)))]
            case .frame(0): [.frame(BitmapMessage(small, pixels: .inline(small.bytes)))]
            case .frame:
                [.frame(BitmapMessage(frame, pixels: .inline([UInt8](frame.bytes))))]
            default: []
            }
        }
        let played = try IsolatedCoder(kind: .avif, source: workers).makeAnimation(
            of: Self.file, options: ImageDecodeOptions())
        _ = try played.frame(at: 0)
        let error = #expect(throws: WebImageError.self) { try played.frame(at: 1) }
        #expect(error?.code == .badImageData)
    }

    @Test("the worker of an animation lives while frames come, and ends some seconds after the last")
    func idleAnimation() throws {
        let workers = WorkerThreads()
        let animation = try IsolatedCoder(kind: .avif, source: workers).makeAnimation(
            of: FuzzSeeds.data("animated.avif"), options: ImageDecodeOptions())
        let frames = try #require(animation as? SequentialAnimation)
        let before = workers.startedCount
        for index in [0, 1, 2, 0] { _ = try animation.frame(at: index) }
        #expect(workers.startedCount == before + 1 && workers.runningCount == 1)
        frames.cursors.dropIdle(at: .now)
        #expect(workers.runningCount == 1)
        frames.cursors.dropIdle(at: .now + .seconds(6))
        #expect(workers.runningCount == 0)
        _ = try animation.frame(at: 1)
        #expect(workers.startedCount == before + 2)
    }

    @Test("the worker of an arriving file ends with its decoder, or with an error")
    func progressiveEnd() throws {
        let workers = WorkerThreads()
        let coder = IsolatedCoder(kind: .jxl, source: workers)
        let data = try FuzzSeeds.data("photo.jxl")
        do {
            let decoder = coder.makeProgressiveDecoder(options: ImageDecodeOptions())
            _ = try decoder.update(data.prefix(data.count / 2))
            #expect(workers.runningCount == 1)
        }
        #expect(workers.runningCount == 0)
        var options = ImageDecodeOptions()
        options.limits.maximumByteCount = 10
        let decoder = coder.makeProgressiveDecoder(options: options)
        #expect(throws: WebImageError.self) { try decoder.update(data) }
        #expect(workers.runningCount == 0)
        #expect(try decoder.update(data) == nil)
    }

    @Test("no worker is started for partial pictures that nobody sees")
    func hiddenParts() throws {
        let workers = WorkerThreads()
        var options = ImageDecodeOptions()
        options.showsParts = false
        let decoder = IsolatedCoder(kind: .jxl, source: workers).makeProgressiveDecoder(options: options)
        #expect(try decoder.update(FuzzSeeds.data("photo.jxl")) == nil && workers.startedCount == 0)
    }

    @Test("a kind that the program was built without is one clear error")
    func absentCoder() {
        let coder = IsolatedCoder(kind: .avif, source: WorkerThreads { _ in nil })
        let error = #expect(throws: WebImageError.self) { try coder.decode(Self.file, options: ImageDecodeOptions()) }
        #expect(error?.reason == "the program that decodes pictures was built without a coder for this one")
    }

    @Test("the limit of time is the coder's own in the worker, too")
    func timeLimit() throws {
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = .zero - .seconds(1)
        let error = #expect(throws: WebImageError.self) {
            try IsolatedCoder(kind: .jxl, source: WorkerThreads()).decode(
                FuzzSeeds.data("photo.jxl"), options: options)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a worker gets no more memory of the app than it may have of its own, and the error names the limit")
    func limitedBuffers() throws {
        let wishes = Mutex(3)
        let workers = ScriptedWorkers { request -> [WorkerReply] in
            switch request {
            case .decode, .buffer:
                wishes.withLock { wishes in
                    wishes -= 1
                    return [.needsBuffer(byteCount: 1 << 20)]
                }
            case .noBuffer:
                [.failed(WebImageError(.limitExceeded, stage: .decode, kind: .policy, reason: "there is no memory"))]
            default: []
            }
        }
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeMemory = 5 << 19
        let error = #expect(throws: WebImageError.self) {
            try IsolatedCoder(kind: .png, source: workers).decode(Self.file, options: options)
        }
        #expect(wishes.withLock { $0 } == 0)
        #expect(error?.code == .limitExceeded && error?.reason.contains("maximumDecodeMemory") == true)
    }

    @Test("a worker without memory of the app says that there is none")
    func noBuffers() throws {
        let size = PixelSize(width: 200, height: 100)
        let image = Image(bitmap: try Bitmap(size: size, pixels: [UInt8](repeating: 7, count: size.area * 4)))
        let data = try #require(DecoderKind.png.coder).encode(image, to: .png, options: ImageEncodeOptions())
        let coder = IsolatedCoder(kind: .png, source: WorkersWithoutMemory())
        var options = ImageDecodeOptions()
        for receiver in [nil, UncountedRows()] {
            options.rowReceiver = receiver
            let error = #expect(throws: WebImageError.self) { try coder.decode(data, options: options) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test("a warning of a worker is logged once for each file")
    func warning() async {
        // The log is one of the whole process.
        await #expect(processExitsWith: .success) {
            let messages = Mutex<[String]>([])
            WebImageLog.setHandler { message in messages.withLock { $0.append(message) } }
            let small = try WorkerSessionTests.image { image in
                image.bitmap.size = PixelSize(width: 1, height: 1)
                image.bitmap.pixels = .inline([0, 0, 0, 0])
            }
            let coder = IsolatedCoder(
                kind: .avif,
                source: ScriptedWorkers { request -> [WorkerReply] in
                    if case .decode = request { [.warning("it is odd\u{7}"), small] } else { [] }
                })
            for _ in 0..<3 { _ = try coder.decode(Data("any file".utf8), options: ImageDecodeOptions()) }
            #expect(messages.withLock { $0 } == ["it is odd\u{FFFD}"])
            _ = try coder.decode(Data("another file".utf8), options: ImageDecodeOptions())
            #expect(messages.withLock { $0.count } == 2)
        }
    }

    @Test("what a coder warns of in a worker gets to the app's log")
    func forwardedWarning() async {
        await #expect(processExitsWith: .success) {
            let output = ScriptedChannel()
            let service = WorkerService(channel: output)
            service.forwardWarnings()
            for _ in 0..<20 { WebImageLog.warn("it is odd") }
            // None before a request, and no more than the app takes.
            #expect(output.sent.isEmpty)
            output.requests = [
                .open(
                    .svg,
                    .inline(
                        Data("<svg xmlns='http://www.w3.org/2000/svg' width='2' height='2'>".utf8)
                            + Data("<image href='data:text/plain,a' width='2' height='2'/></svg>".utf8))),
                .decode(ImageDecodeOptions(), asRows: false),
            ]
            service.run()
            let kinds = output.sent.map { reply in
                switch reply {
                case .warning: "warning"
                case .image: "image"
                default: "another"
                }
            }
            #expect(kinds == ["warning", "image"])
        }
    }
}

/// A worker's side without an app: the requests are there from the beginning.
private final class ScriptedChannel: WorkerChannel {
    private struct State {
        var requests: [WorkerRequest] = []
        var sent: [WorkerReply] = []
    }

    private let state = Mutex(State())

    var requests: [WorkerRequest] {
        get { state.withLock { $0.requests } }
        set { state.withLock { $0.requests = newValue } }
    }

    var sent: [WorkerReply] { state.withLock { $0.sent } }

    func receive() -> WorkerPacket? {
        let next = state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
        return next.map { WorkerPacket(bytes: $0.messageBytes) }
    }

    func send(_ packet: consuming WorkerPacket) -> Bool {
        var joiner = MessageParts.Joiner()
        guard let bytes = try? joiner.add(packet.bytes), let reply = try? WorkerReply(messageBytes: bytes) else {
            return false
        }
        state.withLock { $0.sent.append(reply) }
        return true
    }
}

private final class UncountedRows: PixelRowReceiver {
    func receive(_ row: UnsafeRawBufferPointer) {}
}

/// Threads whose pixels have no place in the app.
private final class WorkersWithoutMemory: WorkerSource {
    private let threads = WorkerThreads()

    func makeWorker(for kind: DecoderKind, limits: ImageLimits) throws(WebImageError) -> any WorkerConnection {
        try threads.makeWorker(for: kind, limits: limits)
    }

    func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer {
        throw .outOfMemory(for: PixelSize(width: byteCount, height: 1))
    }
}
