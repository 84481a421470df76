import FoundationEssentials
import Testing
import WebImage

@Suite("Image formats")
struct ImageFormatTests {
    @Test("FMT-2 data of any length is sniffed without a trap", arguments: 0..<40)
    func shortData(count: Int) {
        for first: UInt8 in [0x00, 0x89, 0xFF, 0x52, 0x3C] {
            #expect(ImageFormat(sniffing: Data(repeating: first, count: count)) == .undefined)
        }
    }
}
