import FoundationEssentials
import Testing
import WebImage
import WebImageTestSupport

@Suite("More than 8 bits in AVIF, HEIC and JPEG XL", .enabled(if: Corpus.isPresent, "there is no corpus"))
struct DeepDecodingTests {
    private static let files = [
        "avif/link-u/fox.profile2.12bpc.yuv444.avif",
        "heic/pillow_heif/RGBA_10__128x128.heif", "heic/pillow_heif/RGBA_12__128x128.heif",
        "jxl/conformance/upsampling/upsampling.jxl",
    ]

    @Test("16 bits have more than 8, and are the same picture", arguments: files)
    func depth(path: String) throws {
        let manager = ImageCodersManager(coders: CoderCase.all.map(\.coder))
        let data = Corpus.data(at: path)
        var options = ImageDecodeOptions.storedPixels
        let narrow = try manager.decode(data, options: options).bitmap
        options.pixelFormat = .rgba16Straight
        let wide = try manager.decode(data, options: options).bitmap
        #expect(wide.format == .rgba16Straight && wide.size == narrow.size)
        let values = wide.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        let rounded = values.map { UInt8((Int($0) + 128) / 257) }
        #expect(largestDifference(rounded, narrow.bytes) <= 2)
        if try #require(try manager.properties(of: data, isComplete: true)).bitsPerChannel > 8 {
            #expect(Set(values).count > 256)
        }
    }

    @Test("a picture of high dynamic range is made to fit sRGB, as bright as it is meant")
    func highDynamicRange() throws {
        let manager = ImageCodersManager(coders: CoderCase.all.map(\.coder))
        for path in [
            "avif/libavif/seine_hdr_rec2020.avif", "heic/sdwebimage/TestHDR.heic", "jxl/sdwebimage/TestHDR.jxl",
        ] {
            let bitmap = try manager.decode(Corpus.data(at: path), options: ImageDecodeOptions()).bitmap
            let mean = bitmap.quadrantMeans.flatMap { $0.prefix(3) }.reduce(0, +) / 12
            #expect(bitmap.format == .rgba8Premultiplied && bitmap.colorSpace == .sRGB)
            #expect(mean > 30 && mean < 220, "\(path): \(mean)")
        }
    }
}
