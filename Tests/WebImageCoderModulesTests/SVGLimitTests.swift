import FoundationEssentials
import Testing
import WebImageCore
import WebImageSVG
import WebImageTestSupport

/// The limits that hold wherever a document is drawn; `HostileSVGTests` has those that need a process of their own.
@Suite("Limits of SVG")
struct SVGLimitTests {
    @Test("entities read no files and do not multiply")
    func entities() throws {
        let external = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text y='9'>&x;</text></svg>"
        if let image = try? SVGText.decode(Data((external + text).utf8)) {
            #expect(image.bitmap.bytes.allSatisfy { $0 == 0 })
        }
        var laughs = "<!DOCTYPE svg [<!ENTITY a0 '<g/>'>"
        for level in 1...12 {
            laughs += "<!ENTITY a\(level) '" + String(repeating: "&a\(level - 1);", count: 10) + "'>"
        }
        laughs += "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&a12;</svg>"
        let data = Data(laughs.utf8)
        #expect(throws: WebImageError.self) { try SVGText.decode(data) }
    }

    @Test("pixels beyond the limits are refused before they are drawn")
    func pixelLimits() throws {
        for attributes in [
            "width='1000000' height='1000000'", "width='40000' height='2'", "width='1e9' height='1e9'",
            "width='1e12' height='9'", "width='9' height='1e30'",
        ] {
            let error = #expect(throws: WebImageError.self) { try SVGText.decode(SVGText.file(attributes)) }
            #expect(error?.code == .limitExceeded)
        }
        #expect(throws: WebImageError.self) { try SVGText.decode(SVGText.file("width='0' height='5'")) }
        for (attributes, size) in [
            ("width='1e9' height='1e9'", "10×10"), ("width='2e10' height='1e10'", "10×5"),
            ("width='1e30' height='1e30'", "10×10"),
        ] {
            let file = SVGText.file("viewBox='0 0 9 9' \(attributes)")
            let image = try SVGText.decode(file, box: PixelSize(width: 10, height: 10))
            #expect(image.pixelSize.description == size)
        }
    }

    @Test("bytes beyond the limit are refused, also those that a small file unpacks to", arguments: [false, true])
    func bytes(isCompressed: Bool) throws {
        let packed = try #require(Data(base64Encoded: Self.packedSpaces))
        let file = isCompressed ? packed : SVGText.file() + Data(repeating: 0x20, count: 4000)
        var options = ImageDecodeOptions()
        #expect(try SVGCoder().decode(file, options: options).pixelSize.width == 9)
        options.limits.maximumByteCount = 1000
        let error = #expect(throws: WebImageError.self) {
            try SVGCoder().properties(of: file, isComplete: true, options: options)
        }
        #expect(error?.code == .limitExceeded && error?.reason.contains("maximumByteCount") == true)
    }

    /// A red square and 4,000 spaces behind it, by `gzip`.
    private static let packedSpaces =
        "H4sIAAAAAAACA+3MsQ6DMAwE0F/x5g1HZQIl+ZkSkkiBVsGq+/mUvTvLvemkO50/Ppm+W9uPwEX1PYuY2WDj8OpZHs45+S2YrC5a"
        + "Ak9MJdVc9IrR9/TUvxWttbXAPS0s0V8XkQAAAAAAAADgdicjex3NChAAAA=="

    @Test("a cancellation is seen before a document is drawn")
    func cancellation() throws {
        var options = ImageDecodeOptions()
        let flag = CancellationFlag()
        options.cancellation = flag
        flag.cancel()
        let error = #expect(throws: WebImageError.self) { try SVGCoder().decode(SVGText.file(), options: options) }
        #expect(error?.isCancelled == true)
    }
}
