import FoundationEssentials
import Testing
import WebImageCore
import WebImageIsolation

/// The messages between the app and the processes that decode for it.
@Suite("Messages to decoders", .timeLimit(.minutes(5)))
struct MessageTests {
    // MARK: - Nothing is forgotten

    @Test("a message carries every value of the decode options, except those that belong to one process")
    func options() throws {
        var changes = Self.optionChanges
        for label in Self.labels(of: ImageDecodeOptions()) where !Self.ownToProcess.contains(label) {
            let found = changes.removeValue(forKey: label)
            let change = try #require(found, "the message lacks \(label)")
            var options = ImageDecodeOptions()
            change(&options)
            #expect(options != ImageDecodeOptions(), "\(label) is not changed")
            #expect(try ImageDecodeOptions(messageBytes: options.messageBytes) == options, "\(label)")
        }
        #expect(changes.isEmpty)
    }

    @Test("a message says whether partial pictures are shown, and has nothing else of a load")
    func interruption() throws {
        let interruption = try #require(
            Mirror(reflecting: ImageDecodeOptions()).children.first { $0.label == "interruption" })
        #expect(Self.labels(of: interruption.value) == ["flag", "stopwatch", "showsParts", "rowReceiver", "address"])
        var options = ImageDecodeOptions()
        options.showsParts = false
        #expect(try ImageDecodeOptions(messageBytes: options.messageBytes).showsParts == false)
    }

    @Test("a message carries every limit")
    func limits() throws {
        var changes = Self.limitChanges
        for label in Self.labels(of: ImageLimits()) {
            let found = changes.removeValue(forKey: label)
            let change = try #require(found, "the message lacks \(label)")
            var limits = ImageLimits()
            change(&limits)
            #expect(limits != ImageLimits(), "\(label) is not changed")
            #expect(try ImageLimits(messageBytes: limits.messageBytes) == limits, "\(label)")
        }
        #expect(changes.isEmpty)
    }

    @Test("a message carries all properties, and all metadata that a decoder knows")
    func properties() throws {
        #expect(
            Self.labels(of: Self.properties) == [
                "format", "pixelSize", "orientation", "frameCount", "loopCount", "frameDurations", "hasAlpha",
                "bitsPerChannel", "iccProfileName",
            ])
        #expect(try ImageProperties(messageBytes: Self.properties.messageBytes) == Self.properties)
        #expect(
            Self.labels(of: Self.metadata) == [
                "format", "originalPixelSize", "frameCount", "loopCount", "isThumbnail", "isIncremental",
                "isTransformed", "isVector", "extendedData",
            ])
        #expect(try ImageMetadata(messageBytes: Self.metadata.messageBytes) == Self.metadata)
    }

    @Test("an error keeps its code, stage, kind and reason, and loses control characters")
    func errors() throws {
        var error = WebImageError(.limitExceeded, stage: .transform, kind: .transient, reason: "too much")
        error.isOfFrameCount = true
        let same = try WebImageError(messageBytes: error.messageBytes)
        #expect(same.code == error.code && same.stage == error.stage && same.kind == error.kind)
        #expect(same.reason == "too much" && same.isOfFrameCount)
        var message = MessageWriter()
        message.write(error.code.rawValue)
        message.write(error.stage)
        message.write(error.kind)
        message.write("line\u{1B}[31m\nline")
        message.write(false)
        let controlled = try WebImageError(messageBytes: message.bytes)
        #expect(!controlled.reason.unicodeScalars.contains { $0.value < 32 })
    }

    @Test("requests survive, and neither a part of one nor one with more behind it is accepted", arguments: requests)
    func request(_ request: WorkerRequest) throws {
        let bytes = request.messageBytes
        #expect(try WorkerRequest(messageBytes: bytes) == request)
        for count in 0..<bytes.count {
            #expect(throws: MessageError.self) { try WorkerRequest(messageBytes: Array(bytes.prefix(count))) }
        }
        #expect(throws: MessageError.unreadBytes) { try WorkerRequest(messageBytes: bytes + [0]) }
    }

    @Test("every choice has a number of its own")
    func choices() {
        func areApart<Choice: MessageChoice>(_: Choice.Type) -> Bool {
            Set(Choice.messageChoices.map(\.messageCode)).count == Choice.messageChoices.count
        }
        #expect(areApart(PixelFormat.self) && areApart(ColorSpace.self) && areApart(ImageOrientation.self))
        #expect(areApart(ResamplingFilter.self) && areApart(DecoderKind.self))
        #expect(areApart(WebImageError.Stage.self) && areApart(WebImageError.Kind.self))
    }

    // MARK: - Sizes

    @Test("a text that is too long is cut off between two characters")
    func longText() throws {
        let text = String(repeating: "ä€", count: MessageWriter.maximumTextByteCount)
        let read = try String(messageBytes: text.messageBytes)
        #expect(text.hasPrefix(read) && read.utf8.count <= MessageWriter.maximumTextByteCount)
        #expect(read.utf8.count > MessageWriter.maximumTextByteCount - 8)
        var message = MessageWriter()
        message.writeBytes([UInt8](repeating: 65, count: MessageWriter.maximumTextByteCount + 1))
        #expect(throws: MessageError.tooLong) { try String(messageBytes: message.bytes) }
        message = MessageWriter()
        message.writeBytes([0xC3, 0x28])
        #expect(throws: MessageError.unknownValue) { try String(messageBytes: message.bytes) }
    }

    @Test("a count that exceeds the message takes no memory")
    func falseCount() {
        for count in [Int64.max, .min, -1, 1 << 40] {
            var message = MessageWriter()
            message.writeInteger(count)
            #expect(throws: MessageError.truncated) { try [Duration](messageBytes: message.bytes) }
            #expect(throws: MessageError.truncated) { try Data(messageBytes: message.bytes) }
        }
    }

    @Test("numbers that Swift's types do not take are refused")
    func impossibleValues() {
        var message = MessageWriter()
        message.writeInteger(Int64.max)
        message.writeInteger(Int64.max)
        #expect(throws: MessageError.unknownValue) { try Duration(messageBytes: message.bytes) }
        message = MessageWriter()
        message.write(5)
        message.write(4)
        #expect(throws: MessageError.unknownValue) { try Range<Int>(messageBytes: message.bytes) }
        #expect(throws: MessageError.unknownValue) { try Bool(messageBytes: [2]) }
        #expect(throws: MessageError.unknownValue) { try PixelFormat(messageBytes: [200]) }
        #expect(throws: MessageError.unknownValue) { try WorkerRequest(messageBytes: [200]) }
    }

    @Test("a long message comes in several packets, each of which fits")
    func parts() throws {
        let durations = [Duration](repeating: .milliseconds(40), count: 10_000)
        let packets = try #require(MessageParts.packets(of: durations.messageBytes))
        #expect(packets.count > 1 && packets.allSatisfy { $0.count <= WorkerPacket.maximumByteCount })
        var joiner = MessageParts.Joiner()
        for packet in packets.dropLast() {
            let whole = try joiner.add(packet)
            #expect(whole == nil)
        }
        let bytes = try joiner.add(packets.last ?? [])
        #expect(try [Duration](messageBytes: bytes ?? []) == durations)
        #expect(MessageParts.packets(of: [UInt8](repeating: 0, count: MessageParts.maximumByteCount + 1)) == nil)
    }

    @Test("a message without an end is given up at its largest size, and one of empty packets at once")
    func endlessMessage() throws {
        var joiner = MessageParts.Joiner()
        #expect(throws: MessageError.truncated) { try joiner.add([1]) }
        #expect(throws: MessageError.truncated) { try joiner.add([]) }
        #expect(throws: MessageError.unknownValue) { try joiner.add([2, 0]) }
        let packet = [1] + [UInt8](repeating: 0, count: WorkerPacket.maximumByteCount - 1)
        #expect(throws: MessageError.tooLong) {
            for _ in 0...MessageParts.maximumByteCount / (packet.count - 1) { _ = try joiner.add(packet) }
        }
    }
}

extension MessageTests {
    private static func labels(of value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }

    /// Properties that no message has.
    private static let ownToProcess: Set = ["interruption", "values"]

    private static let optionChanges: [String: @Sendable (inout ImageDecodeOptions) -> Void] = [
        "thumbnailPixelSize": { $0.thumbnailPixelSize = PixelSize(width: 30, height: -4) },
        "preservesAspectRatio": { $0.preservesAspectRatio = false },
        "coversThumbnailBox": { $0.coversThumbnailBox = true },
        "scaleFactor": { $0.scaleFactor = 2.5 },
        "appliesOrientation": { $0.appliesOrientation = false },
        "convertsToSRGB": { $0.convertsToSRGB = false },
        "pixelFormat": { $0.pixelFormat = .rgba16FloatStraight },
        "limits": { $0.limits.maximumScanCount = 7 },
        "decodesFirstFrameOnly": { $0.decodesFirstFrameOnly = true },
        "pageIndex": { $0.pageIndex = 3 },
        "scaleDownLimitBytes": { $0.scaleDownLimitBytes = 1 << 40 },
        "decodesPreview": { $0.decodesPreview = true },
        "decodesToHDR": { $0.decodesToHDR = true },
        "decodesToWideGamut": { $0.decodesToWideGamut = true },
        "countsPlaysOfGIF": { $0.countsPlaysOfGIF = true },
        "progressiveInterval": { $0.progressiveInterval = .nanoseconds(-7) },
        "formatHint": { $0.formatHint = .format(ImageFormat(rawValue: 1234)) },
        "region": { $0.region = .cropped(columns: 1..<4, rows: 2..<9) },
    ]

    private static let limitChanges: [String: @Sendable (inout ImageLimits) -> Void] = [
        "maximumPixelCount": { $0.maximumPixelCount = 1 },
        "maximumSourcePixelCount": { $0.maximumSourcePixelCount = .max },
        "maximumByteCount": { $0.maximumByteCount = 3 },
        "maximumFrameCount": { $0.maximumFrameCount = 4 },
        "maximumScanCount": { $0.maximumScanCount = 5 },
        "maximumDecodeMemory": { $0.maximumDecodeMemory = 9 },
        "maximumDecodeDuration": { $0.maximumDecodeDuration = .milliseconds(9) },
    ]

    private static let properties = ImageProperties(
        format: .avif, pixelSize: PixelSize(width: 4, height: 5), orientation: .left, frameCount: 2, loopCount: 3,
        frameDurations: [.milliseconds(1), .seconds(2)], hasAlpha: true, bitsPerChannel: 12, iccProfileName: "P3")

    private static let metadata: ImageMetadata = {
        var metadata = ImageMetadata(
            format: .png, originalPixelSize: PixelSize(width: 1, height: 2), frameCount: 3, loopCount: 4,
            isThumbnail: true)
        metadata.isIncremental = true
        metadata.isTransformed = true
        metadata.isVector = true
        return metadata
    }()

    private static let resized: ImageDecodeOptions = {
        var options = ImageDecodeOptions()
        options.region = .resized(PixelSize(width: 3, height: 4), .lanczos3)
        options.formatHint = .noHint
        return options
    }()

    static let requests: [WorkerRequest] = [
        .open(.svg, .inline(Data([1, 2, 3]))), .open(.tiff, .file(offset: 5, byteCount: 6)), .begin(.jxl, resized),
        .properties(isComplete: true, resized), .decode(resized, asRows: true), .animate(resized), .frame(77),
        .update(.inline(Data())), .openRegions(ImageLimits(), .displayP3), .readRows(reduction: 4),
        .prepareRegions(kept: nil), .prepareRegions(kept: .file(offset: 0, byteCount: 9)),
        .decodeRegions([PixelRegion(columns: 1..<2, rows: 3..<4)], reduction: 2), .buffer(byteCount: 4096), .noBuffer,
        .goOn,
    ]
}
