import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Progressive decoding of hostile JPEG")
struct ProgressiveDamageTests {
    /// The error of the first update of `decoder` that fails; nil when none does. All later updates must show nothing.
    private func failure(
        _ data: Data, chunkSize: Int, options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws -> WebImageError? {
        let decoder = JPEGCoder().makeProgressiveDecoder(options: options)
        var failure: WebImageError?
        var rest = data
        while !rest.isEmpty {
            let chunk = rest.prefix(chunkSize)
            rest = rest.dropFirst(chunkSize)
            if failure != nil {
                #expect(try decoder.update(chunk) == nil)
                continue
            }
            do throws(WebImageError) { _ = try decoder.update(chunk) } catch { failure = error }
        }
        return failure
    }

    @Test(
        "a limit of the whole decode also holds for the parts, by name, once",
        arguments: ["photo.jpg", "photo-progressive.jpg"], [1, 200, 1 << 20])
    func limits(name: String, chunkSize: Int) throws {
        let data = try Fixtures.data(name)
        let limits: [(String, (inout ImageLimits) -> Void)] = [
            ("maximumByteCount", { $0.maximumByteCount = 4000 }),
            ("maximumPixelCount", { $0.maximumPixelCount = 200 * 150 - 1 }),
            ("maximumSourcePixelCount", { $0.maximumSourcePixelCount = 200 * 150 - 1 }),
        ]
        for (limit, lower) in limits {
            var options = ImageDecodeOptions()
            lower(&options.limits)
            let error = try #require(try failure(data, chunkSize: chunkSize, options: options))
            #expect(error.code == .limitExceeded && error.kind == .policy)
            #expect(error.reason.contains(limit))
        }
    }

    @Test("scans are counted as they arrive", arguments: [1, 200, 1 << 20])
    func scanLimit(chunkSize: Int) throws {
        var options = ImageDecodeOptions()
        options.limits.maximumScanCount = 3
        let data = try Fixtures.data("photo-progressive.jpg")
        let error = try failure(data, chunkSize: chunkSize, options: options)
        #expect(error?.reason.contains("maximumScanCount") == true)
        options.limits.maximumScanCount = 10
        #expect(try failure(data, chunkSize: chunkSize, options: options) == nil)
    }

    @Test("a file of hundreds of scans is not shown hundreds of times")
    func manyScans() throws {
        let data = try Fixtures.data("photo-progressive.jpg")
        // Repeats the last scan many times, which changes nothing.
        let last = try #require(data.lastRange(of: [0xFF, 0xDA])).lowerBound
        let scan = data[last..<data.endIndex - 2]
        var file = data.dropLast(2)
        for _ in 0..<200 { file += scan }
        file += data.suffix(2)
        let partials = try ProgressiveJPEGTests.partials(of: file, chunkSize: 100)
        #expect(partials.count == 17)
        let whole = try JPEGCoder().decode(file, options: ImageDecodeOptions())
        #expect(partials.last?.bitmap.bytes == whole.bitmap.bytes)
    }

    @Test("bytes that are no JPEG file throw once", arguments: ["not a picture", "\u{0}", "GIF89a"])
    func noJPEG(text: String) throws {
        let error = try failure(Data((text + text).utf8), chunkSize: 1)
        #expect(error?.code == .badImageData)
    }

    @Test("a picture that ends early throws once, after its part was shown", arguments: [1, 100])
    func earlyEnd(chunkSize: Int) throws {
        let data = try Fixtures.data("photo.jpg")
        let cut = data.prefix(data.count / 2) + data.suffix(2) + data
        #expect(try failure(cut, chunkSize: chunkSize)?.code == .truncatedImageData)
        #expect(try !ProgressiveJPEGTests.partials(of: data.prefix(data.count / 2), chunkSize: chunkSize).isEmpty)
    }

    @Test("a raised flag ends a decode that is under way", arguments: ["photo.jpg", "photo-progressive.jpg"])
    func cancellation(name: String) throws {
        var options = ImageDecodeOptions()
        let flag = CancellationFlag()
        options.cancellation = flag
        let decoder = JPEGCoder().makeProgressiveDecoder(options: options)
        let data = try Fixtures.data(name)
        _ = try decoder.update(data.prefix(data.count / 2))
        flag.cancel()
        let error = #expect(throws: WebImageError.self) { try decoder.update(data.suffix(data.count / 2)) }
        #expect(error?.isCancelled == true)
        #expect(try decoder.update(data) == nil)
    }

    @Test(
        "files damaged or cut at random show pictures of their size or fail, and nothing worse",
        arguments: [
            "photo.jpg", "photo-progressive.jpg", "photo-restart.jpg", "cmyk.jpg", "orientation-6.jpg",
        ], [1, 33, 4096])
    func mutations(name: String, chunkSize: Int) throws {
        let data = try Fixtures.data(name)
        var mutator = FileMutator(seed: UInt64(chunkSize))
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 18
        options.limits.maximumSourcePixelCount = 1 << 18
        var failures = 0
        for round in 0..<150 {
            options.thumbnailPixelSize = round % 2 == 0 ? nil : PixelSize(width: 1 + round % 40, height: 30)
            guard let error = try failure(mutator.mutate(data), chunkSize: chunkSize, options: options) else {
                continue
            }
            failures += 1
            #expect([.badImageData, .truncatedImageData, .limitExceeded].contains(error.code))
        }
        #expect(failures > 10 && failures < 140)
    }
}
