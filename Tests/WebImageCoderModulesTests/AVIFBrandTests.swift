import FoundationEssentials
import Testing
import WebImageAVIF
import WebImageCoders
import WebImageCore

@Suite("Brands of AVIF files")
struct AVIFBrandTests {
    @Test("a file with the brand of a profile alone, which libavif does not take, is not called damaged")
    func profileAlone() throws {
        let picture = Image(bitmap: try SmoothPicture.make(width: 16, height: 16))
        var file = try AVIFCoder().encode(picture, to: .avif, options: ImageEncodeOptions())
        let length = Int(file[3])
        let brands = String(decoding: file.prefix(length), as: UTF8.self).replacing("avif", with: "MA1A")
        file.replaceSubrange(..<length, with: Data(brands.utf8))
        let error = #expect(throws: WebImageError.self) { try AVIFCoder().decode(file, options: ImageDecodeOptions()) }
        #expect(error?.reason.contains("of a kind that is not read") == true, "\(error?.reason ?? "decoded")")
    }
}
