import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("JPEG coder")
struct JPEGCoderTests {
    private let coder = JPEGCoder()

    private func decode(_ data: Data, thumbnail: PixelSize? = nil) throws -> Image {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = thumbnail
        return try coder.decode(data, options: options)
    }

    private func failure(_ data: Data, options: ImageDecodeOptions = ImageDecodeOptions()) -> WebImageError? {
        do throws(WebImageError) {
            _ = try coder.decode(data, options: options)
            return nil
        } catch { return error }
    }

    // MARK: - Decoding

    @Test("every EXIF orientation comes out upright, whole and as a thumbnail", arguments: 1...8)
    func orientation(number: Int) throws {
        let data = try Fixtures.data("orientation-\(number).jpg")
        let properties = try #require(try coder.properties(of: data, isComplete: true))
        #expect(properties.orientation.rawValue == number)
        #expect(properties.pixelSize == PixelSize(width: 48, height: 32))
        for box in [nil, PixelSize(width: 24, height: 100), PixelSize(width: 11, height: 9)] {
            let image = try decode(data, thumbnail: box)
            #expect(image.metadata.originalPixelSize == PixelSize(width: 48, height: 32))
            let (width, height) = (image.pixelSize.width, image.pixelSize.height)
            let corners = [(1, 1), (width - 2, 1), (1, height - 2), (width - 2, height - 2)]
            let expected: [[UInt8]] = [
                [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255],
            ]
            for ((x, y), color) in zip(corners, expected) {
                #expect(largestDifference(image.bitmap.pixel(x, y), color) <= 25)
            }
        }
    }

    @Test("stored pixels are not turned")
    func storedPixels() throws {
        let image = try coder.decode(Fixtures.data("orientation-6.jpg"), options: .storedPixels)
        #expect(image.pixelSize == PixelSize(width: 32, height: 48))
        #expect(image.bitmap.format == .rgba8Straight)
    }

    @Test("progressive, with restart markers and plain: the same picture")
    func variants() throws {
        let plain = try decode(Fixtures.data("photo.jpg")).bitmap.bytes
        #expect(try decode(Fixtures.data("photo-progressive.jpg")).bitmap.bytes == plain)
        #expect(try decode(Fixtures.data("photo-restart.jpg")).bitmap.bytes == plain)
    }

    @Test(
        "DOP-4 THB-2 a thumbnail has the right size and looks like the whole picture made small",
        arguments: [199, 120, 100, 60, 50, 25, 13], ["photo.jpg", "photo-progressive.jpg"])
    func thumbnails(width: Int, name: String) throws {
        let data = try Fixtures.data(name)
        let whole = try decode(data).bitmap
        let image = try decode(data, thumbnail: PixelSize(width: width, height: 1000))
        #expect(image.metadata.isThumbnail)
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = image.pixelSize
        let reference = try Bitmap.assembled(
            whole.bytes, size: whole.size, isOpaque: true, options: options)
        #expect(image.pixelSize == reference.size)
        #expect(image.pixelSize.width == width)
        #expect(peakSignalToNoise(image.bitmap.bytes, reference.bytes) >= 33)
    }

    @Test("gray comes out gray")
    func gray() throws {
        let bitmap = try decode(Fixtures.data("gray.jpg")).bitmap
        #expect(bitmap.isOpaque)
        #expect(Set(bitmap.bytes).count > 50)
        for y in 0..<bitmap.size.height {
            for x in 0..<bitmap.size.width {
                let pixel = bitmap.pixel(x, y)
                #expect(pixel[1] == pixel[0] && pixel[2] == pixel[0] && pixel[3] == 255)
            }
        }
    }

    @Test("CMYK inks come out as their colours", arguments: [false, true])
    func cmyk(isThumbnail: Bool) throws {
        let box = isThumbnail ? PixelSize(width: 48, height: 8) : nil
        let bitmap = try decode(Fixtures.data("cmyk.jpg"), thumbnail: box).bitmap
        let bar = bitmap.size.width / 6
        let expected: [[UInt8]] = [
            [0, 255, 255], [255, 0, 255], [255, 255, 0], [0, 0, 0], [255, 255, 255], [64, 64, 64],
        ]
        for (index, color) in expected.enumerated() {
            let pixel = bitmap.pixel(index * bar + bar / 2, bitmap.size.height / 2)
            #expect(largestDifference(pixel, color + [255]) <= 8, "bar \(index)")
        }
    }

    @Test("DOP-2 the scale of the options is the picture's, and at least 1")
    func scale() throws {
        var options = ImageDecodeOptions()
        options.scaleFactor = 2
        #expect(try coder.decode(Fixtures.data("photo.jpg"), options: options).scale == 2)
        options.scaleFactor = 0
        #expect(try coder.decode(Fixtures.data("photo.jpg"), options: options).scale == 1)
    }

    // MARK: - Headers

    @Test("properties need only the header, and request more bytes until it is complete")
    func properties() throws {
        let data = try Fixtures.data("photo-progressive.jpg")
        let whole = try #require(try coder.properties(of: data, isComplete: true))
        #expect(whole.pixelSize == PixelSize(width: 200, height: 150))
        #expect(whole.format == .jpeg && whole.bitsPerChannel == 8 && !whole.hasAlpha && whole.frameCount == 1)
        var needed: Int?
        for count in 3..<data.count {
            let properties = try coder.properties(of: data.prefix(count), isComplete: false)
            if properties != nil && needed == nil { needed = count }
            #expect(properties == (needed == nil ? nil : whole))
        }
        #expect(try #require(needed) < 700)
    }

    @Test("a header that ends with the file is a truncated file")
    func truncatedHeader() throws {
        let data = try Fixtures.data("photo.jpg")
        for count in [3, 20, 100, 300] {
            let error = #expect(throws: WebImageError.self) {
                try coder.properties(of: data.prefix(count), isComplete: true)
            }
            #expect(error?.code == .truncatedImageData)
        }
    }

    /// `data` with other sides in its frame header.
    private func claiming(width: Int, height: Int, _ data: Data) throws -> Data {
        var bytes = [UInt8](data)
        let beginnings: [[UInt8]] = [[0xFF, 0xC0], [0xFF, 0xC2]]
        let found = (0..<bytes.count - 9).first { beginnings.contains(Array(bytes[$0..<$0 + 2])) }
        let frame = try #require(found)
        let sides: [UInt8] = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
        bytes.replaceSubrange(frame + 5..<frame + 9, with: sides)
        return Data(bytes)
    }

    @Test("a header that claims 65,000 × 65,000 is refused by the limit", arguments: [nil, 100])
    func liar(thumbnailSide: Int?) throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = thumbnailSide.map { PixelSize(width: $0, height: $0) }
        let data = try claiming(width: 65_000, height: 65_000, Fixtures.data("photo.jpg"))
        let error = try #require(failure(data, options: options))
        #expect(error.code == .limitExceeded && error.kind == .policy)
        #expect(error.description.contains("maximumSourcePixelCount"))
        #expect(try coder.properties(of: data, isComplete: false)?.pixelSize.width == 65_000)
    }

    @Test("a thumbnail is measured at the size it is decoded at, a progressive one at its full size")
    func heldPixels() throws {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 10_000
        #expect(try failure(Fixtures.data("photo.jpg"), options: options)?.code == .limitExceeded)
        options.thumbnailPixelSize = PixelSize(width: 40, height: 40)
        #expect(try failure(Fixtures.data("photo.jpg"), options: options) == nil)
        #expect(try failure(Fixtures.data("photo-progressive.jpg"), options: options)?.code == .limitExceeded)
    }

    @Test("more scans than allowed are refused by the limit's name")
    func scans() throws {
        var options = ImageDecodeOptions()
        options.limits.maximumScanCount = 3
        let error = try #require(try failure(Fixtures.data("photo-progressive.jpg"), options: options))
        #expect(error.code == .limitExceeded && error.kind == .policy)
        #expect(error.description.contains("maximumScanCount"))
        #expect(try failure(Fixtures.data("photo.jpg"), options: options) == nil)
    }

    // MARK: - Bad input

    @Test(
        "a file cut anywhere before its last blocks is an error, and never half a picture",
        arguments: ["photo.jpg", "photo-progressive.jpg", "photo-restart.jpg", "gray.jpg", "cmyk.jpg"])
    func truncated(name: String) throws {
        let data = try Fixtures.data(name)
        // Without the end marker and the padding before it, a baseline picture is still complete.
        for count in 0..<data.count - 4 {
            let code = try #require(failure(data.prefix(count)), "\(count) bytes").code
            #expect(code == .truncatedImageData || count < 3, "\(count) bytes")
        }
    }

    @Test("a progressive file without its end marker counts as incomplete")
    func missingEnd() throws {
        let data = try Fixtures.data("photo-progressive.jpg")
        #expect(failure(data.dropLast(2))?.code == .truncatedImageData)
        #expect(try failure(Fixtures.data("photo.jpg").dropLast(2)) == nil)
    }

    /// The bytes of scans, without the segments between them.
    private func scanBytes(of bytes: [UInt8]) -> [Int] {
        var (result, index, isInScan): ([Int], Int, Bool) = ([], 2, false)
        while index + 3 < bytes.count {
            if isInScan {
                let isMarker =
                    bytes[index] == 0xFF && bytes[index + 1] != 0 && !(0xD0...0xD7).contains(bytes[index + 1])
                if isMarker { isInScan = false } else { result.append(index) }
                if isMarker { continue }
                index += 1
            } else {
                isInScan = bytes[index + 1] == 0xDA
                index += 2 + Int(bytes[index + 2]) << 8 + Int(bytes[index + 3])
            }
        }
        return result
    }

    @Test(
        "one flipped bit in the pixels of a whole file is shown with its garbage",
        arguments: ["photo.jpg", "photo-progressive.jpg", "photo-restart.jpg", "gray.jpg", "cmyk.jpg"])
    func flippedBit(name: String) throws {
        let whole = [UInt8](try Fixtures.data(name))
        let size = try decode(Data(whole)).pixelSize
        let places = scanBytes(of: whole)
        try #require(places.count > 100)
        for place in places where place % 5 < 2 {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(place % 8)
            // It would end the file.
            if bytes[(place - 1)...(place + 1)].contains(0xFF), Data(bytes[..<(place + 2)]).suffix(3).contains(0xD9) {
                continue
            }
            let error = failure(Data(bytes))
            #expect(error == nil, "byte \(place): \(error?.reason ?? "")")
        }
        var bytes = whole
        bytes[places[places.count / 2]] ^= 0x10
        #expect(try decode(Data(bytes)).pixelSize == size)
        #expect(try decode(Data(bytes)).bitmap.bytes != decode(Data(whole)).bitmap.bytes)
    }

    @Test("bytes after the end are ignored")
    func trailingBytes() throws {
        let data = try Fixtures.data("photo.jpg")
        #expect(try decode(data + Data("more".utf8)).bitmap.bytes == decode(data).bitmap.bytes)
    }

    @Test(
        "damage anywhere gives a picture of the right size or an error",
        arguments: ["photo.jpg", "photo-progressive.jpg", "photo-restart.jpg", "cmyk.jpg", "display-p3.jpg"])
    func fuzz(name: String) throws {
        let original = [UInt8](try Fixtures.data(name))
        var random = SeededGenerator(seed: 42)
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 20
        options.limits.maximumSourcePixelCount = 1 << 20
        var failures = 0
        for round in 0..<800 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if round % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            options.thumbnailPixelSize = round % 2 == 0 ? nil : PixelSize(width: 30, height: 30)
            do throws(WebImageError) {
                let image = try coder.decode(Data(bytes), options: options)
                #expect(!image.pixelSize.isEmpty)
            } catch {
                failures += 1
                #expect([.badImageData, .truncatedImageData, .limitExceeded].contains(error.code))
            }
        }
        #expect(failures > 200 && failures < 800)
    }

    @Test("a raised flag ends a decode", arguments: ["photo.jpg", "photo-progressive.jpg"])
    func cancelled(name: String) throws {
        var options = ImageDecodeOptions()
        options.cancellation = CancellationFlag()
        options.cancellation?.cancel()
        #expect(try failure(Fixtures.data(name), options: options)?.isCancelled == true)
    }

    @Test("a file of a kind unknown to libjpeg is not called damaged")
    func unsupported() throws {
        var data = try Fixtures.data("photo.jpg")
        let frame = try #require(data.firstRange(of: [0xFF, 0xC0] as [UInt8])).upperBound
        data[frame + 2] = 16
        let error = try #require(failure(data))
        #expect(error.code == .badImageData)
        #expect(error.reason.contains("JPEG file is of a kind that is not read"))
    }

    @Test(
        "COD-7 by default each format of the web is decoded and written by one coder, and no coder takes all bytes"
    )
    func registered() throws {
        let manager = ImageCodersManager.shared
        let files: [(String, ImageFormat)] = [
            ("photo.jpg", .jpeg), ("palette.png", .png), ("animated.png", .png), ("palette.gif", .gif),
            ("lossy.webp", .webP), ("animated.webp", .webP),
        ]
        for (name, format) in files {
            let data = try Fixtures.data(name)
            #expect(manager.coders.filter { $0.canDecode(data) }.count == 1)
            #expect(try manager.decode(data, options: ImageDecodeOptions()).metadata.format == format)
        }
        let written: [ImageFormat] = [.jpeg, .png, .gif, .webP, .bmp]
        #expect(written.allSatisfy { format in manager.coders.filter { $0.canEncode(format) }.count == 1 })
        #expect(written.allSatisfy(manager.canDecode) && manager.canDecode(.ico))
        for other in [Data(), Data("text".utf8), Data("%PDF-1.7".utf8)] {
            #expect(!manager.coders.contains { $0.canDecode(other) })
        }
    }
}
