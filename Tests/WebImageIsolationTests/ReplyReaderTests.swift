import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageIsolation

/// A worker may be in the hands of its picture: the app believes nothing that it says.
@Suite("What workers say", .timeLimit(.minutes(5)))
struct ReplyReaderTests {
    /// A reply that passes, or with a change that makes it a lie.
    struct Case: CustomStringConvertible, Sendable {
        let description: String
        let request: WorkerRequest
        let replies: [WorkerReply]
        var rowSize: PixelSize?
        var kind = DecoderKind.avif

        init(
            _ description: String, _ request: WorkerRequest, _ replies: [WorkerReply], rowSize: PixelSize? = nil,
            kind: DecoderKind = .avif
        ) {
            self.description = description
            self.request = request
            self.replies = replies
            self.rowSize = rowSize
            self.kind = kind
        }
    }

    static let buffers = [1 << 12, 1 << 20]

    /// Reads the replies; the last one decides.
    private func read(_ test: Case) throws(WebImageError) {
        var reader = ReplyReader(to: test.request, kind: test.kind, limits: Self.limits, rowSize: test.rowSize)
        for reply in test.replies {
            for packet in MessageParts.packets(of: reply.messageBytes) ?? [] {
                _ = try reader.read(packet, buffers: Self.buffers)
            }
        }
    }

    @Test("what a decoder may say is taken", arguments: truths)
    func truth(_ test: Case) throws { try read(test) }

    @Test("what no decoder says is refused, with an error for good", arguments: lies)
    func lie(_ test: Case) throws {
        // Only the last reply is one.
        var before = test
        before = Case(
            test.description, test.request, test.replies.dropLast(), rowSize: test.rowSize, kind: test.kind)
        try read(before)
        let error = #expect(throws: WebImageError.self) { try read(test) }
        #expect(error?.code == .badImageData && error?.kind == .permanent)
        #expect(error?.reason.hasPrefix("the process that decodes the picture answered what cannot be: ") == true)
    }

    @Test("damaged replies are refused, or say nothing that is out of range")
    func damage() throws {
        var mutator = FileMutator(seed: 38)
        for test in Self.truths {
            guard let reply = test.replies.last, let packet = MessageParts.packets(of: reply.messageBytes)?.first else {
                continue
            }
            for _ in 0..<2000 {
                var reader = ReplyReader(to: test.request, kind: test.kind, limits: Self.limits, rowSize: test.rowSize)
                let damaged = [UInt8](mutator.mutate(Data(packet)))
                if let reply = try? reader.read(damaged, buffers: Self.buffers) { Self.expectPossible(reply) }
            }
        }
    }

    /// The pixels are within what holds them.
    private static func expectPossible(_ reply: WorkerReply) {
        switch reply {
        case .image(let image): expectPossible(image.bitmap)
        case .frame(let bitmap), .region(_, let bitmap): expectPossible(bitmap)
        case .rows(let rows): #expect(rows.count * rows.bytesPerRow <= buffers[rows.buffer])
        case .needsBuffer(let byteCount): #expect(byteCount > 0 && byteCount <= 8 << 20)
        default: break
        }
    }

    private static func expectPossible(_ bitmap: BitmapMessage) {
        let byteCount = bitmap.size.width * bitmap.size.height * bitmap.format.bytesPerPixel
        switch bitmap.pixels {
        case .inline(let bytes): #expect(bytes.count == byteCount)
        case .buffer(let index, let offset): #expect(offset >= 0 && offset + byteCount <= buffers[index])
        }
    }
}

// MARK: - Cases

extension ReplyReaderTests {
    private static let limits: ImageLimits = {
        var limits = ImageLimits()
        limits.maximumPixelCount = 1 << 20
        limits.maximumSourcePixelCount = 1 << 22
        limits.maximumFrameCount = 100
        return limits
    }()

    private static let options = ImageDecodeOptions()
    private static let decode = WorkerRequest.decode(options, asRows: false)
    private static let decodeRows = WorkerRequest.decode(options, asRows: true)
    private static let properties = WorkerRequest.properties(isComplete: true, options)
    private static let regions = WorkerRequest.decodeRegions(
        [PixelRegion(columns: 0..<8, rows: 0..<4), PixelRegion(columns: 8..<16, rows: 0..<4)], reduction: 1)
    private static let openRegions = WorkerRequest.openRegions(ImageLimits(), .sRGB)

    /// 16 × 16 pixels of four bytes in the first buffer.
    private static func bitmap(_ change: (inout BitmapMessage) -> Void = { _ in }) -> BitmapMessage {
        let one = try? Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255])
        guard let one else { preconditionFailure("there is no memory for a pixel") }
        var message = BitmapMessage(one, pixels: .buffer(index: 0, offset: 64))
        message.size = PixelSize(width: 16, height: 16)
        change(&message)
        return message
    }

    private static func image(_ change: (inout ImageMessage) -> Void = { _ in }) -> WorkerReply {
        let one = try? Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255])
        guard let one else { preconditionFailure("there is no memory for a pixel") }
        let frames = [ImageFrame(bitmap: one, duration: .milliseconds(40)), ImageFrame(bitmap: one, duration: .zero)]
        let metadata = ImageMetadata(
            format: .avif, originalPixelSize: PixelSize(width: 64, height: 64), frameCount: 2, loopCount: 3)
        let image = Image(bitmap: one, metadata: metadata, animation: FrameListAnimation(frames, loopCount: 3))
        var message = ImageMessage(image, pixels: .inline([]))
        message.bitmap = bitmap()
        change(&message)
        return .image(message)
    }

    private static func found(_ change: (inout ImageProperties) -> Void = { _ in }) -> WorkerReply {
        var found = ImageProperties(format: .avif, pixelSize: PixelSize(width: 1 << 31, height: 2))
        change(&found)
        return .properties(found)
    }

    private static func animation(_ change: (inout AnimationMessage) -> Void = { _ in }) -> WorkerReply {
        guard case .image(let image) = image(), var message = image.animation else { return .done }
        change(&message)
        return .animation(message)
    }

    private static func file(_ change: (inout RegionFileMessage) -> Void = { _ in }) -> WorkerReply {
        guard var message = try? RegionFileMessage(messageBytes: tiff) else { return .done }
        change(&message)
        return .regions(message)
    }

    private static let tiff: [UInt8] = {
        var message = MessageWriter()
        message.write(ImageFormat.tiff)
        message.write(PixelSize(width: 2000, height: 1000))
        message.write(ImageOrientation.right)
        message.write(ColorSpace.sRGB)
        message.write(2048)
        message.write(2)
        message.write(true)
        message.write(true)
        return message.bytes
    }()

    private static func rows(_ count: Int, _ bytesPerRow: Int, in buffer: Int = 0) -> WorkerReply {
        .rows(RowsMessage(count: count, bytesPerRow: bytesPerRow, buffer: buffer))
    }

    private static func region(_ index: Int, _ width: Int = 8, _ height: Int = 4) -> WorkerReply {
        .region(index: index, bitmap { $0.size = PixelSize(width: width, height: height) })
    }

    private static func failure(
        _ code: WebImageError.Code, _ kind: WebImageError.Kind, stage: WebImageError.Stage = .decode
    ) -> WorkerReply { .failed(WebImageError(code, stage: stage, kind: kind, reason: "a reason")) }

    static let truths: [Case] = [
        Case("a picture", decode, [image()]),
        Case(
            "a small picture", decode,
            [
                image {
                    $0.bitmap.size = PixelSize(width: 1, height: 2)
                    $0.bitmap.pixels = .inline([UInt8](repeating: 9, count: 8))
                }
            ]),
        Case(
            "a picture after buffers", decode, [.needsBuffer(byteCount: 1), .needsBuffer(byteCount: 8 << 20), image()]),
        Case("a warning", decode, [.warning("a text"), image()]),
        Case("no picture yet", .update(.inline(Data())), [.noImage]),
        Case("a partial picture", .update(.inline(Data())), [image { $0.metadata.isIncremental = true }]),
        Case("properties", properties, [found()]),
        Case("no properties yet", properties, [.properties(nil)]),
        Case("pages of a document", properties, [found { ($0.format, $0.frameCount) = (.pdf, 100_000) }], kind: .pdf),
        Case("an animation", .animate(options), [animation()]),
        Case("a frame", .frame(1), [.frame(bitmap())]),
        Case(
            "rows", .readRows(reduction: 1), [rows(2, 64), rows(1, 64), .done], rowSize: PixelSize(width: 16, height: 3)
        ),
        Case("rows of a picture", decodeRows, [rows(2, 64), rows(1, 64), image()]),
        Case("regions", regions, [region(1), region(0, 4, 8), .done]),
        Case("a large file", openRegions, [file()], kind: .tiff),
        Case("a file without regions", openRegions, [.regions(nil)], kind: .tiff),
        Case(
            "a preparation", .prepareRegions(kept: nil),
            [.progress, .progress, .prepared(hasRegions: true, kept: Data())]),
        Case("damage", decode, [failure(.badImageData, .permanent)]),
        Case("no memory", decode, [failure(.limitExceeded, .transient)]),
    ]

    static let lies: [Case] = [
        // Answers that were not asked for.
        Case("a picture instead of properties", properties, [image()]),
        Case("a frame instead of a picture", decode, [.frame(bitmap())]),
        Case("rows of a picture as a whole", decode, [rows(1, 64)]),
        Case("the end of nothing", decode, [.done]),
        Case("progress of a picture", decode, [.progress]),
        Case("a region of a picture", decode, [region(0)]),
        // Pixels.
        Case("no width", decode, [image { $0.bitmap.size.width = 0 }]),
        Case("a negative height", decode, [image { $0.bitmap.size.height = -16 }]),
        Case("two negative sides", decode, [image { $0.bitmap.size = PixelSize(width: -4, height: -4) }]),
        Case(
            "sides whose product overflows", decode,
            [
                image { $0.bitmap.size = PixelSize(width: 1 << 32, height: 1 << 32) }
            ]),
        Case(
            "more pixels than are allowed", decode,
            [image { $0.bitmap.size = PixelSize(width: 1 << 11, height: 1 << 10) }]),
        Case("more pixels than the buffer has", decode, [image { $0.bitmap.size.height = 64 }]),
        Case(
            "deeper pixels than the buffer has", decode,
            [
                image {
                    $0.bitmap.size = PixelSize(width: 31, height: 32)
                    $0.bitmap.format = .rgba16Straight
                }
            ]),
        Case("pixels that begin too late", decode, [image { $0.bitmap.pixels = .buffer(index: 0, offset: 3136) }]),
        Case(
            "pixels that begin far behind", decode, [image { $0.bitmap.pixels = .buffer(index: 0, offset: .max - 63) }]),
        Case("pixels before the buffer", decode, [image { $0.bitmap.pixels = .buffer(index: 0, offset: -64) }]),
        Case("pixels at an odd place", decode, [image { $0.bitmap.pixels = .buffer(index: 0, offset: 4) }]),
        Case("a buffer that is not there", decode, [image { $0.bitmap.pixels = .buffer(index: 2, offset: 0) }]),
        Case("a negative buffer", decode, [image { $0.bitmap.pixels = .buffer(index: -1, offset: 0) }]),
        Case("too few bytes in the message", decode, [image { $0.bitmap.pixels = .inline([1, 2, 3]) }]),
        Case("floating-point pixels", decode, [image { $0.bitmap.format = .rgba16FloatStraight }]),
        Case("a frame out of the buffer", .frame(0), [.frame(bitmap { $0.size.width = 4096 })]),
        // Buffers.
        Case("a buffer of nothing", decode, [.needsBuffer(byteCount: 0)]),
        Case("a buffer of all memory", decode, [.needsBuffer(byteCount: .max)]),
        Case("a buffer beyond the limits", decode, [.needsBuffer(byteCount: 8 << 20 + 1)]),
        // Metadata.
        Case("another kind's format", decode, [image { $0.metadata.format = .svg }]),
        Case("no original width", decode, [image { $0.metadata.originalPixelSize?.width = 0 }]),
        Case("an endless original", decode, [image { $0.metadata.originalPixelSize?.height = .max }]),
        Case("no frames", decode, [image { ($0.metadata.frameCount, $0.animation) = (0, nil) }]),
        Case("too many frames", decode, [image { ($0.metadata.frameCount, $0.animation) = (101, nil) }]),
        Case("negative plays", decode, [image { $0.metadata.loopCount = -1 }]),
        Case("more plays than fit a header", decode, [image { $0.metadata.loopCount = .max }]),
        Case("a transformed picture", decode, [image { $0.metadata.isTransformed = true }]),
        Case("other frames than there are", decode, [image { $0.metadata.frameCount = 3 }]),
        Case("an animation of a still format", decode, [image { $0.metadata.format = .tiff }], kind: .tiff),
        // Properties.
        Case("no size", properties, [found { $0.pixelSize = PixelSize(width: 0, height: 0) }]),
        Case("the size of nothing real", properties, [found { $0.pixelSize.width = 1 << 40 }]),
        Case("the properties of another format", properties, [found { $0.format = .jpeg }]),
        Case("no depth", properties, [found { $0.bitsPerChannel = 0 }]),
        Case("the depth of nothing real", properties, [found { $0.bitsPerChannel = 65 }]),
        Case("more frames than are allowed", properties, [found { $0.frameCount = 101 }]),
        Case(
            "fewer durations than frames", properties,
            [
                found { ($0.frameCount, $0.frameDurations) = (3, [.zero, .zero]) }
            ]),
        Case("a negative duration", properties, [found { $0.frameDurations = [.milliseconds(-1)] }]),
        // Animations.
        Case("an animation without frames", .animate(options), [animation { $0.durations = [] }]),
        Case(
            "an animation of too many frames", .animate(options),
            [
                animation { $0.durations = [Duration](repeating: .zero, count: 101) }
            ]),
        Case("an endless frame", .animate(options), [animation { $0.durations[1] = .seconds(Int64.max) }]),
        Case("a frame before the first", .animate(options), [animation { $0.durations[0] = .seconds(-1) }]),
        Case("plays of nothing real", .animate(options), [animation { $0.loopCount = .min }]),
        // Rows.
        Case(
            "a row that is too short", .readRows(reduction: 1), [rows(1, 60)], rowSize: PixelSize(width: 16, height: 3)),
        Case(
            "a row that is too long", .readRows(reduction: 1), [rows(1, 68)], rowSize: PixelSize(width: 16, height: 3)),
        Case(
            "too many rows", .readRows(reduction: 1), [rows(3, 64), rows(1, 64)],
            rowSize: PixelSize(width: 16, height: 3)),
        Case("too few rows", .readRows(reduction: 1), [rows(2, 64), .done], rowSize: PixelSize(width: 16, height: 3)),
        Case("rows of two lengths", decodeRows, [rows(1, 64), rows(1, 60)]),
        Case("no rows", decodeRows, [rows(0, 64)]),
        Case("rows of nothing", decodeRows, [rows(1, 0)]),
        Case("negative rows", decodeRows, [rows(-1, -64)]),
        Case("rows out of the buffer", decodeRows, [rows(65, 64)]),
        Case("rows whose size overflows", decodeRows, [rows(1 << 32, 1 << 32)]),
        Case("rows in a buffer that is not there", decodeRows, [rows(1, 64, in: 7)]),
        // Regions.
        Case("a region twice", regions, [region(0), region(0)]),
        Case("a region that was not asked for", regions, [region(2)]),
        Case("a region before the first", regions, [region(-1)]),
        Case("a region of another size", regions, [region(0, 8, 5)]),
        Case(
            "a deep region", regions,
            [
                .region(
                    index: 0,
                    bitmap {
                        $0.size = PixelSize(width: 8, height: 4)
                        $0.format = .rgba16Premultiplied
                    })
            ]),
        Case("too few regions", regions, [region(0), .done]),
        Case("a large file of another format", openRegions, [file { $0.format = .png }], kind: .tiff),
        Case("a large file without rows", openRegions, [file { $0.storedSize.height = 0 }], kind: .tiff),
        Case("a large file beyond the limits", openRegions, [file { $0.storedSize.height = 1 << 22 }], kind: .tiff),
        Case("a large file in other colours", openRegions, [file { $0.colorSpace = .bt2100PQ }], kind: .tiff),
        Case("no reduction", openRegions, [file { $0.rowReduction = 0 }], kind: .tiff),
        Case("a reduction by three", openRegions, [file { $0.rowReduction = 3 }], kind: .tiff),
        Case("a reduction to nothing", openRegions, [file { $0.rowReduction = 1 << 40 }], kind: .tiff),
        Case("a base without a side", openRegions, [file { $0.baseSide = 0 }], kind: .tiff),
        Case("a base larger than any", openRegions, [file { $0.baseSide = 2049 }], kind: .tiff),
        // Errors.
        Case("a cancellation", decode, [failure(.cancelled, .cancelled)]),
        Case("a cancelled failure", decode, [failure(.badImageData, .cancelled)]),
        Case("a failure that passes", decode, [failure(.badImageData, .transient)]),
        Case("a failure of a network", decode, [failure(.timedOut, .permanent)]),
        Case("a code of the app's own", decode, [failure(.init(rawValue: 12_345), .permanent)]),
        Case("a failure of a cache", decode, [failure(.badImageData, .permanent, stage: .disk)]),
        // Floods.
        Case("endless wishes", decode, [WorkerReply](repeating: .needsBuffer(byteCount: 1), count: 17)),
        Case("endless warnings", decode, [WorkerReply](repeating: .warning("a text"), count: 9)),
    ]

    @Test("a worker that reports progress without an end is given up")
    func endlessProgress() {
        var reader = ReplyReader(to: .prepareRegions(kept: nil), kind: .png, limits: ImageLimits())
        let packet = MessageParts.packets(of: WorkerReply.progress.messageBytes)?.first ?? []
        #expect(throws: WebImageError.self) {
            for _ in 0..<1 << 17 { _ = try reader.read(packet, buffers: []) }
        }
    }

    @Test("a worker gets four buffers at most")
    func fifthBuffer() throws {
        var reader = ReplyReader(to: Self.decode, kind: .avif, limits: ImageLimits())
        let packet = MessageParts.packets(of: WorkerReply.needsBuffer(byteCount: 1).messageBytes)?.first ?? []
        _ = try reader.read(packet, buffers: [1, 1, 1])
        #expect(throws: WebImageError.self) { try reader.read(packet, buffers: [1, 1, 1, 1]) }
    }
}
