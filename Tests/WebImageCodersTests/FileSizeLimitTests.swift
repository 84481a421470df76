import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Encoding within a number of bytes")
struct FileSizeLimitTests {
    private static func photo() throws -> Image {
        try JPEGCoder().decode(try Fixtures.data("photo.jpg"), options: ImageDecodeOptions())
    }

    @Test(
        "EOP-6 the best quality within the byte limit is written",
        arguments: [ImageFormat.jpeg, .webP])
    func bestQuality(format: ImageFormat) throws {
        let photo = try Self.photo()
        let coder = ImageCodersManager.shared
        func encoded(quality: Double) throws -> Data {
            var options = ImageEncodeOptions.best
            options.compressionQuality = quality
            return try coder.encode(photo, to: format, options: options)
        }
        let limit = (try encoded(quality: 0.01).count + encoded(quality: 1).count) / 2
        var options = ImageEncodeOptions.best
        options.maxFileSize = limit
        // The requested quality is ignored.
        options.compressionQuality = 0.01
        let data = try coder.encode(photo, to: format, options: options)
        #expect(data.count <= limit)
        let quality = try #require((1...100).first { try encoded(quality: Double($0) / 100) == data })
        #expect(try encoded(quality: Double(quality + 1) / 100).count > limit)
    }

    @Test(
        "an unreachable limit gives the smallest file, and a generous one the best",
        arguments: [ImageFormat.jpeg, .webP])
    func extremes(format: ImageFormat) throws {
        let photo = try Self.photo()
        let coder = ImageCodersManager.shared
        for (limit, quality) in [(1, 0.01), (Int.max, 1)] {
            var limited = ImageEncodeOptions.best
            limited.maxFileSize = limit
            var plain = ImageEncodeOptions.best
            plain.compressionQuality = quality
            #expect(
                try coder.encode(photo, to: format, options: limited)
                    == coder.encode(photo, to: format, options: plain))
        }
    }

    @Test("at most eight tries are made")
    func tries() throws {
        var options = ImageEncodeOptions.best
        for limit in 1...100 {
            options.maxFileSize = limit
            var tries = 0
            // A format whose files have one byte per percent of quality.
            let data = try QualitySearch.encode(options) { quality in
                tries += 1
                return Data(count: Int((quality * 100).rounded()))
            }
            #expect(data.count == limit)
            #expect(tries <= 8)
        }
    }

    @Test("a lossless format ignores the limit")
    func lossless() throws {
        var options = ImageEncodeOptions.best
        options.isLossless = true
        let photo = try Self.photo()
        let data = try WebPCoder().encode(photo, to: .webP, options: options)
        options.maxFileSize = 100
        #expect(try WebPCoder().encode(photo, to: .webP, options: options) == data)
    }

    @Test("EOP-7 a thumbnail is put into a JPEG file's metadata, and the picture stays as it is")
    func thumbnail() throws {
        let photo = try Self.photo()
        var options = ImageEncodeOptions.best
        let plain = try JPEGCoder().encode(photo, to: .jpeg, options: options)
        options.embedsThumbnail = true
        let data = try JPEGCoder().encode(photo, to: .jpeg, options: options)
        let start = try #require(data.dropFirst(2).firstRange(of: [0xFF, 0xD8])?.lowerBound)
        let end = try #require(data[start...].firstRange(of: [0xFF, 0xD9])?.upperBound)
        let thumbnail = try JPEGCoder().decode(Data(data[start..<end]), options: ImageDecodeOptions())
        #expect(max(thumbnail.pixelSize.width, thumbnail.pixelSize.height) == 160)
        let whole = try JPEGCoder().decode(data, options: ImageDecodeOptions())
        #expect(whole.bitmap.bytes == (try JPEGCoder().decode(plain, options: ImageDecodeOptions()).bitmap.bytes))
        #expect(try JPEGCoder().properties(of: data, isComplete: true)?.orientation == .up)
    }
}
