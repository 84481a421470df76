import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Progressive decoding of JPEG")
struct ProgressiveJPEGTests {
    private static let coder = JPEGCoder()

    static let baseline = ["photo.jpg", "photo-restart.jpg", "gray.jpg", "cmyk.jpg", "display-p3.jpg"]
    static let turned = (2...8).map { "orientation-\($0).jpg" }
    static let progressive = "photo-progressive.jpg"
    static let boxes = [nil, PixelSize(width: 90, height: 90), PixelSize(width: 13, height: 200)]
    static let chunkSizes = [1, 2, 61, 512, 5000, 1 << 20]

    private static func options(_ box: PixelSize?) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = box
        return options
    }

    /// The partial pictures of `data`, in pieces of `chunkSize` bytes.
    static func partials(
        of data: Data, chunkSize: Int, options: ImageDecodeOptions = ImageDecodeOptions(),
        coder: any ProgressiveImageCoder = JPEGCoder()
    ) throws(WebImageError) -> [Image] {
        let decoder = coder.makeProgressiveDecoder(options: options)
        var images: [Image] = []
        var rest = data
        while !rest.isEmpty {
            if let image = try decoder.update(rest.prefix(chunkSize)) { images.append(image) }
            rest = rest.dropFirst(chunkSize)
        }
        return images
    }

    // MARK: - Pictures

    @Test(
        "S0-5 OPT-2 a baseline picture is revealed row by row, each like the whole, until it is the whole",
        arguments: baseline + turned, chunkSizes)
    func rows(name: String, chunkSize: Int) throws {
        let data = try Fixtures.data(name)
        for box in Self.boxes {
            let whole = try Self.coder.decode(data, options: Self.options(box))
            let partials = try Self.partials(of: data, chunkSize: chunkSize, options: Self.options(box))
            let pixels = words(whole.bitmap)
            var seen = 0
            for partial in partials {
                #expect(partial.pixelSize == whole.pixelSize)
                let visible = zip(words(partial.bitmap), pixels).filter { $0.0 != 0 }
                #expect(visible.allSatisfy { $0.0 == $0.1 })
                #expect(visible.count > seen)
                #expect(partial.bitmap.isOpaque == (visible.count == pixels.count))
                seen = visible.count
            }
            #expect(try #require(partials.last).bitmap.bytes == whole.bitmap.bytes)
            #expect(partials.count <= 21)
        }
    }

    @Test(
        "S0-5 a baseline picture appears from the top to the bottom, an upside-down one from below", arguments: [1, 3])
    func direction(orientation: Int) throws {
        let data = try Self.oriented(Fixtures.data("photo.jpg"), orientation)
        let partials = try Self.partials(of: data, chunkSize: 50)
        #expect(partials.count > 5)
        for partial in partials {
            let pixels = words(partial.bitmap)
            let middle = stride(from: 0, to: pixels.count, by: partial.pixelSize.width).map { pixels[$0] != 0 }
            let fromStart = orientation == 1 ? middle : middle.reversed()
            #expect(fromStart.drop { $0 }.allSatisfy { !$0 }, "a row is missing between others")
            #expect(fromStart.first == true)
        }
    }

    @Test(
        "a progressive picture is shown as a whole after each scan, and sharpens until it is complete",
        arguments: chunkSizes, boxes)
    func scans(chunkSize: Int, box: PixelSize?) throws {
        let data = try Fixtures.data(Self.progressive)
        let whole = try Self.coder.decode(data, options: Self.options(box))
        let partials = try Self.partials(of: data, chunkSize: chunkSize, options: Self.options(box))
        let quality = partials.map { peakSignalToNoise($0.bitmap.bytes, whole.bitmap.bytes) }
        // A picture may already contain a part of the next scan, which sharpens its top but prevents block smoothing.
        for (worse, better) in zip(quality, quality.dropFirst()) { #expect(better >= worse - 3) }
        for partial in partials {
            #expect(partial.pixelSize == whole.pixelSize)
            #expect(partial.bitmap.isOpaque)
        }
        #expect(quality.last == .infinity)
        // Scans can be told apart only when the pieces are smaller than scans.
        if chunkSize == 1 { #expect(partials.count == 10 && (quality.first ?? 0) > 20) }
        if chunkSize > data.count { #expect(partials.count == 1) }
    }

    @Test(
        "13 ScaleDownUseThumbnail: every partial has the size of the limit, and is marked as partial",
        arguments: [3, 700])
    func limitBytes(chunkSize: Int) throws {
        var options = ImageDecodeOptions()
        options.scaleDownLimitBytes = 100 * 75 * 4
        for name in ["photo.jpg", Self.progressive] {
            let data = try Fixtures.data(name)
            let partials = try Self.partials(of: data, chunkSize: chunkSize, options: options)
            #expect(partials.count > 1)
            for partial in partials {
                #expect(partial.pixelSize == PixelSize(width: 100, height: 75))
                #expect(partial.metadata.isIncremental && partial.metadata.isThumbnail)
                #expect(partial.metadata.originalPixelSize == PixelSize(width: 200, height: 150))
            }
            #expect(try !Self.coder.decode(data, options: options).metadata.isIncremental)
        }
    }

    @Test("stored pixels, their scale and the options reach partial pictures")
    func optionsOfPartials() throws {
        var options = ImageDecodeOptions.storedPixels
        options.scaleFactor = 2
        options.cancellation = CancellationFlag()
        let data = try Fixtures.data("orientation-6.jpg")
        let partials = try Self.partials(of: data, chunkSize: 100, options: options)
        let first = try #require(partials.first)
        #expect(first.pixelSize == PixelSize(width: 32, height: 48))
        #expect(first.bitmap.format == .rgba8Straight && first.bitmap.colorSpace == .asStored && first.scale == 2)
        #expect(first.decodeOptions == options && first.decodeOptions?.cancellation == nil)
    }

    // MARK: - Bytes

    @Test("A58 bytes that arrive during a decode may be passed at once: the picture includes them", arguments: [1, 5])
    func skipped(step: Int) throws {
        let data = try Fixtures.data("photo.jpg")
        let decoder = Self.coder.makeProgressiveDecoder(options: ImageDecodeOptions())
        var generator = SeededGenerator(seed: UInt64(step))
        var rest = data
        var last: Image?
        while !rest.isEmpty {
            let count = Int.random(in: 0...data.count / step, using: &generator)
            if let image = try decoder.update(rest.prefix(count)) { last = image }
            rest = rest.dropFirst(count)
        }
        #expect(try last?.bitmap.bytes == Self.coder.decode(data, options: ImageDecodeOptions()).bitmap.bytes)
    }

    @Test(
        "B46 a buffer into which the next bytes are read does not change the picture",
        arguments: [
            "photo.jpg", progressive, "photo-small.png", "lossy.webp", "animated.gif", "animated.png", "animated.webp",
        ])
    func reusedBuffer(name: String) throws {
        let data = try Fixtures.data(name)
        let decoder = ImageCodersManager.shared.makeProgressiveDecoder(options: ImageDecodeOptions())
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { buffer.deallocate() }
        let start = try #require(buffer.baseAddress)
        var last: Image?
        for offset in stride(from: 0, to: data.count, by: buffer.count) {
            let piece = data.dropFirst(offset).prefix(buffer.count)
            buffer.copyBytes(from: piece)
            // Not a copy: these bytes are the buffer's.
            let view = Data(bytesNoCopy: start, count: piece.count, deallocator: .none)
            if let image = try decoder.update(view) { last = image }
            buffer.copyBytes(from: [UInt8](repeating: 0xAA, count: buffer.count))
        }
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        #expect(try #require(last).bitmap.bytes == whole.bitmap.bytes)
        if let animation = whole.animation {
            let grown = try #require(last?.animation)
            for index in 0..<grown.frameCount {
                #expect(try grown.frame(at: index).bytes == animation.frame(at: index).bytes)
            }
        }
    }

    @Test(
        "an unused segment is skipped across all the pieces in which it arrives", arguments: chunkSizes,
        ["photo.jpg", progressive])
    func skippedSegment(chunkSize: Int, name: String) throws {
        let plain = try Fixtures.data(name)
        let comment = Array(repeating: [0xFF, 0xD9, 0xFF, 0xC0] as [UInt8], count: 10_000).flatMap { $0 }
        let length = comment.count + 2
        let segment = [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 255)] + comment
        let data = plain.prefix(2) + segment + plain.dropFirst(2)
        let last = try Self.partials(of: data, chunkSize: chunkSize).last
        #expect(try last?.bitmap.bytes == Self.coder.decode(plain, options: ImageDecodeOptions()).bitmap.bytes)
    }

    @Test("a file whose coding cannot be interrupted shows no parts, and is no error")
    func arithmetic() throws {
        var data = try Fixtures.data("photo.jpg")
        let frame = try #require(data.firstRange(of: [0xFF, 0xC0])).lowerBound
        data[frame + 1] = 0xC9
        #expect(try Self.partials(of: data, chunkSize: 100).isEmpty)
    }

    @Test("bytes after the end are ignored")
    func trailingBytes() throws {
        for name in ["photo.jpg", Self.progressive] {
            let data = try Fixtures.data(name)
            let count = try Self.partials(of: data, chunkSize: 10).count
            #expect(try Self.partials(of: data + data + Data("more".utf8), chunkSize: 10).count == count)
        }
    }

    /// A JPEG file with an EXIF segment before its other ones.
    private static func oriented(_ data: Data, _ orientation: Int) -> Data {
        let directory: [UInt8] = [1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0, 0]
        let block = Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0] + directory
        let marker: [UInt8] = [0xFF, 0xE1, 0, UInt8(block.count + 2)]
        return data.prefix(2) + Data(marker + block) + data.dropFirst(2)
    }

    private func words(_ bitmap: Bitmap) -> [UInt32] {
        bitmap.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    }
}
