import FoundationEssentials
import Testing
import WebImageCore
import WebImageJXL
import WebImageTestSupport

/// libjxl 0.7 takes files for damaged whose groups precede what they depend on, unless it gets them at once. Newer encoders
/// write such files for all pictures of more than 2048 pixels a side.
@Suite("JPEG XL in slices")
struct JXLSliceTests {
    /// 2049 × 8 pixels of one colour, by libjxl 0.11.
    private static let codestream =
        Data(
            base64Encoded: "/wo4gADQABMIAcrxSQNhEhrkgA0EQAAEQAAEQAAEQABcQACAAGcTKAEAUKEyyrjBy7meLz90WEzbuM7QVtsWAgAA"
                + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIgkkSCBgUMQxCSwYmIMVhODxcQYJwaLGZILACjdxgXDHb0O/0WS"
                + "CKVgEjhMjMGYOC4bBQZ8lAAAAAAAAAAAiCRRLFhIYpG0NHKchyJJhFJI4igBFQcB4wAgAVAEPwsARQ9AvpntKuY1"
                + "cHsOlAQJEt7fABwAAGo=")
        ?? Data()
    private static let size = PixelSize(width: 2049, height: 8)
    private static let color: [UInt8] = [60, 120, 200, 255]

    /// A container of the picture in two parts, far apart (ISO/IEC 18181-2 §9.9): longer than a slice.
    private static func container() -> Data {
        let (head, end) = (codestream.prefix(180), codestream.dropFirst(180))
        return box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
            + box("ftyp", Array("jxl ".utf8) + [0, 0, 0, 0] + Array("jxl ".utf8))
            + box("jxlp", [0, 0, 0, 0] + head) + box("free", [UInt8](repeating: 0, count: 600 << 10))
            + box("jxlp", [0x80, 0, 0, 1] + end)
    }

    private static func box(_ type: String, _ content: [UInt8]) -> Data {
        withUnsafeBytes(of: UInt32(content.count + 8).bigEndian) { Data($0) } + Data(type.utf8) + Data(content)
    }

    private func expectPicture(_ bitmap: Bitmap) {
        #expect(bitmap.size == Self.size)
        for x in [0, 1000, 2047, 2048] { #expect(largestDifference(bitmap.pixel(x, 4), Self.color) <= 2, "\(x)") }
    }

    @Test("a whole file that libjxl cannot decode in slices is decoded at once")
    func whole() throws {
        for data in [Self.codestream, Self.container()] {
            let image = try JXLCoder().decode(data, options: ImageDecodeOptions())
            expectPicture(image.bitmap)
            let animation = try JXLCoder().makeAnimation(of: data, options: ImageDecodeOptions())
            expectPicture(try animation.frame(at: 0))
            expectPicture(try animation.frame(at: 0))
            #expect(try JXLCoder().properties(of: data, isComplete: true)?.pixelSize == Self.size)
        }
    }

    @Test("a file that comes in pieces ends with its picture", arguments: [1, 7, 100, 10_000])
    func pieces(chunk: Int) throws {
        for data in chunk < 100 ? [Self.codestream] : [Self.codestream, Self.container()] {
            let decoder = JXLCoder().makeProgressiveDecoder(options: ImageDecodeOptions())
            var last: Image?
            for start in stride(from: 0, to: data.count, by: chunk) {
                last = try decoder.update(data.dropFirst(start).prefix(chunk)) ?? last
            }
            expectPicture(try #require(last).bitmap)
            #expect(last?.metadata.isIncremental == true)
        }
    }

    @Test("a damaged file is damaged, in slices and at once")
    func damaged() throws {
        var data = Self.container()
        // Within the last part of the picture.
        for index in 1...20 { data[data.endIndex - index] = 0xFF }
        let error = #expect(throws: WebImageError.self) {
            try JXLCoder().decode(data, options: ImageDecodeOptions())
        }
        #expect(error?.code == .badImageData, "\(String(describing: error))")
        let cut = #expect(throws: WebImageError.self) {
            try JXLCoder().decode(Self.container().dropLast(20), options: ImageDecodeOptions())
        }
        #expect(cut?.code == .truncatedImageData, "\(String(describing: cut))")
    }

    @Test(
        "a photo of 21 megapixels that libjxl cannot decode in slices is decoded", .needsCase("16bit-HDR-P3-nclx.jxl"))
    func photo() throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 300, height: 300)
        let image = try JXLCoder().decode(Corpus.caseData("16bit-HDR-P3-nclx.jxl"), options: options)
        #expect(image.metadata.originalPixelSize == PixelSize(width: 5667, height: 3685))
    }
}
