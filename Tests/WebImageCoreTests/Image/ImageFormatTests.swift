import FoundationEssentials
import Testing
import WebImageCore

@Suite("Image formats")
struct ImageFormatTests {
    @Test("FMT-1 the formats have SDWebImage's numbers, and an app's own has its own")
    func numbers() {
        let formats: [ImageFormat] = [
            .undefined, .jpeg, .png, .gif, .tiff, .webP, .heic, .heif, .pdf, .svg, .bmp, .raw,
        ]
        #expect(formats.map(\.rawValue) == Array(-1...10))
        let own = ImageFormat(rawValue: 1001)
        #expect(own != .undefined && own.description == "format 1001" && own.fileExtension == nil)
        #expect(ImageFormat(fileExtension: "NEF") == .raw && ImageFormat(fileExtension: "dng") == .raw)
    }

    @Test("FMT-2 data of any length is sniffed without a trap", arguments: 0..<40)
    func shortData(count: Int) {
        for first: UInt8 in [0x00, 0x89, 0xFF, 0x52, 0x3C] {
            #expect(ImageFormat(sniffing: Data(repeating: first, count: count)) == .undefined)
        }
    }
}
