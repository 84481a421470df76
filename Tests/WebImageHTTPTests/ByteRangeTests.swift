import Testing
import WebImageHTTP

@Suite("Ranges of bytes")
struct ByteRangeTests {
    @Test(
        "DL-24 one range of bytes is understood, within what is there",
        arguments: [
            ("bytes=0-1", 0..<2), ("bytes=1-", 1..<10), ("bytes=-1", 9..<10), ("Bytes = 3-100", 3..<10),
            ("bytes=-100", 0..<10), ("bytes=9-9", 9..<10), ("bytes=0-9223372036854775807", 0..<10),
        ])
    func understood(field: String, range: Range<Int>) {
        #expect(ByteRange(field)?.range(in: 10) == range)
    }

    @Test(
        "DL-24 anything else is no range, or has no bytes",
        arguments: [
            "", "bytes", "bytes=", "bytes=-", "bytes=2-1", "bytes=0-1,3-4", "bytes=a-b", "bytes=+1-2", "lines=0-1",
            "bytes=10-", "bytes=-0", "bytes=99999999999999999999-",
        ])
    func others(field: String) {
        #expect(ByteRange(field)?.range(in: 10) == nil)
    }
}
