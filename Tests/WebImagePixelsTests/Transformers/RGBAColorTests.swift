import Testing
import WebImageCore

@Suite("Colours")
struct RGBAColorTests {
    @Test("UTL-5 a colour's text is #aarrggbb, and leads back")
    func hex() {
        #expect(RGBAColor(red: 0x12, green: 0xAB, blue: 0x03, alpha: 0x0F).hex == "#0f12ab03")
        #expect(RGBAColor.black.hex == "#ff000000")
        #expect(RGBAColor.clear.hex == "#00000000")
        for channel in UInt8.min...UInt8.max {
            let color = RGBAColor(red: channel, green: 255 - channel, blue: channel / 2, alpha: channel)
            #expect(RGBAColor(hex: color.hex) == color)
        }
    }

    @Test("a colour without alpha is opaque, and letters may be large")
    func short() {
        #expect(RGBAColor(hex: "#FF8000") == RGBAColor(red: 255, green: 128, blue: 0))
        #expect(RGBAColor(hex: "#80FF8000") == RGBAColor(red: 255, green: 128, blue: 0, alpha: 128))
    }

    @Test(
        "invalid text gives no colour",
        arguments: [
            "", "#", "ff8000", "#ff80", "#ff80000", "#ff8000000", "#gg8000", "#+f8000", "#-f8000", "# f8000", "#ff８000",
        ])
    func refused(text: String) {
        #expect(RGBAColor(hex: text) == nil)
    }
}
