import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Encoding within a box")
struct EncodeLimitTests {
    @Test(
        "EOP-5 CTX-16 A65 a picture is reduced to fit before it is encoded, and never enlarged",
        arguments: [
            ImageFormat.jpeg, .png, .webP, .pam,
        ])
    func limit(format: ImageFormat) throws {
        let coder = ImageCodersManager.shared
        var options = ImageEncodeOptions.best
        for (box, expected) in [((40, 30), (40, 20)), ((30, 10), (20, 10)), ((500, 500), (100, 50))] {
            options.maxPixelSize = PixelSize(width: box.0, height: box.1)
            let data = try coder.encode(try .plain(100, 50), to: format, options: options)
            let size = PixelSize(width: expected.0, height: expected.1)
            guard format != .pam else {
                #expect(
                    String(decoding: data.prefix(40), as: UTF8.self).contains(
                        "WIDTH \(size.width)\nHEIGHT \(size.height)"))
                continue
            }
            #expect(try coder.decode(data, options: ImageDecodeOptions()).pixelSize == size)
        }
    }
}
