import Testing

@testable import webimage_gallery

@Suite struct AmountTextTests {
    @Test(
        "milliseconds below a second, tenths of seconds from there on",
        arguments: [(0, "0 ms"), (999, "999 ms"), (1000, "1.0 s"), (1949, "1.9 s"), (16_380, "16.4 s")])
    func brief(milliseconds: Int, text: String) {
        #expect(Duration.milliseconds(milliseconds).brief == text)
    }

    @Test(
        "bytes are tenths of megabytes, rounded",
        arguments: [(0, "0.0 MB"), (49_999, "0.0 MB"), (50_000, "0.1 MB"), (12_345_678, "12.3 MB")])
    func megabytes(byteCount: Int, text: String) {
        #expect(byteCount.inMegabytes == text)
    }
}
