import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Format hints")
struct FormatHintTests {
    static let wrongHints: [ImageFormatHint] = [
        .format(.png), .format(.gif), .format(.webP), .format(.jpeg), .format(.svg),
        .format(ImageFormat(rawValue: 4711)),
        .automatic, .noHint,
    ]

    /// A format that bytes do not tell, and what the bytes of a RAW file look like.
    private static let unmarked = ImageFormat(rawValue: 1001)
    static let claimed = ImageFormat.tiff
    private static let alwaysFailing = ScriptedCoder(format: .raw, claims: false) { _ throws(WebImageError) in
        throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "it always fails")
    }

    private func options(_ hint: ImageFormatHint) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.formatHint = hint
        return options
    }

    @Test("A69 B38 CTX-13 a wrong hint never hurts", arguments: wrongHints)
    func wrong(hint: ImageFormatHint) throws {
        for name in ["photo.jpg", "translucent.png", "lossy.webp", "palette.gif"] {
            let data = try Fixtures.data(name)
            let expected = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
            let image = try ImageCodersManager.shared.decode(data, options: options(hint))
            #expect(image.bitmap.bytes == expected.bitmap.bytes)
            #expect(image.metadata.format == expected.metadata.format)
        }
    }

    @Test("DOP-6 CTX-13 unknown bytes are decoded by the coder of the hinted format, and only then")
    func right() throws {
        let manager = ImageCodersManager(coders: [ScriptedCoder(format: Self.unmarked, claims: false), JPEGCoder()])
        let data = ScriptedCoder.file(3, 2)
        let image = try manager.decode(data, options: options(.format(Self.unmarked)))
        #expect(image.pixelSize == PixelSize(width: 3, height: 2))
        for hint in [ImageFormatHint.automatic, .noHint, .format(.png)] {
            let error = #expect(throws: WebImageError.self) { try manager.decode(data, options: options(hint)) }
            #expect(error?.code == .badImageData && error?.underlying == nil)
        }
        #expect(manager.canDecode(Self.unmarked) && !manager.canDecode(.png))
    }

    @Test("CTX-13 if the coder of the hint fails, the error names both the format of the bytes and the failure")
    func failing() {
        let manager = ImageCodersManager(coders: [ScriptedCoder(format: Self.unmarked, claims: false)])
        let page = Data("<!doctype html>".utf8)
        let hinted = options(.format(Self.unmarked))
        let error = #expect(throws: WebImageError.self) { try manager.decode(page, options: hinted) }
        #expect(error?.code == .badImageData)
        #expect(error?.reason.contains("an HTML page") == true)
        #expect(error?.reason.contains("not a scripted picture") == true)
    }

    @Test(
        "DOP-5 DOP-6 a RAW file, with the bytes of a TIFF, belongs to its coder if a hint says so, and else to the TIFF coder",
        arguments: [
            (ImageFormatHint.noHint, claimed), (.format(.tiff), claimed),
            (.format(.raw), .raw),
            (ImageFormatHint.automatic.resolved(by: CacheKey("http://host/a.nef")), .raw),
        ])
    func rawHint(hint: ImageFormatHint, format: ImageFormat) throws {
        let coders = [
            ScriptedCoder(format: Self.claimed), ScriptedCoder(format: .raw, claims: false),
        ]
        let manager = ImageCodersManager(coders: coders)
        let file = ScriptedCoder.file(3, 2)
        #expect(try manager.decode(file, options: options(hint)).metadata.format == format)
        // A file that the coder of the hint cannot decode is decoded without it.
        let failing = ImageCodersManager(coders: [coders[0], Self.alwaysFailing])
        #expect(try failing.decode(file, options: options(hint)).metadata.format == Self.claimed)
    }

    @Test("for an empty body, the error says that it is empty, whatever the hint is")
    func empty() {
        let error = #expect(throws: WebImageError.self) {
            try ImageCodersManager.shared.decode(Data(), options: options(.format(.jpeg)))
        }
        #expect(error?.reason == "the body is empty")
    }

    @Test("a hint does not turn a cancellation into another failure")
    func cancelled() {
        let manager = ImageCodersManager(coders: [ScriptedCoder(format: Self.unmarked, claims: false)])
        var options = options(.format(Self.unmarked))
        options.cancellation = CancellationFlag()
        options.cancellation?.cancel()
        let error = #expect(throws: WebImageError.self) {
            try manager.decode(ScriptedCoder.file(3, 2), options: options)
        }
        #expect(error?.isCancelled == true)
    }

    @Test("the built-in coders answer for their own formats")
    func builtIn() {
        for format in [ImageFormat.jpeg, .png, .gif, .webP] { #expect(ImageCodersManager.shared.canDecode(format)) }
        for format in [ImageFormat.pam, .svg, .undefined] { #expect(!ImageCodersManager.shared.canDecode(format)) }
    }
}
