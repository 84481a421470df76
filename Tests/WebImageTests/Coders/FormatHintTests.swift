import WebImageTestSupport
import FoundationEssentials
import Testing
import WebImageTesting

@testable import WebImage

@Suite("Format hints")
struct FormatHintTests {
    static let wrongHints: [ImageFormatHint] = [
        .format(.png), .format(.gif), .format(.webP), .format(.jpeg), .format(.svg),
        .format(ImageFormat(rawValue: 4711)),
        .automatic, .none,
    ]

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

    @Test("DOP-6 CTX-13 bytes that tell nothing are decoded by the coder of the format in the hint, and only then")
    func right() throws {
        let manager = ImageCodersManager(coders: [UnmarkedCoder(), JPEGCoder()])
        let data = ScriptedCoder.file(3, 2)
        let image = try manager.decode(data, options: options(.format(UnmarkedCoder.format)))
        #expect(image.pixelSize == PixelSize(width: 3, height: 2))
        for hint in [ImageFormatHint.automatic, .none, .format(.png)] {
            let error = #expect(throws: WebImageError.self) { try manager.decode(data, options: options(hint)) }
            #expect(error?.code == .badImageData && error?.underlying == nil)
        }
        #expect(manager.canDecode(UnmarkedCoder.format) && !manager.canDecode(.png))
    }

    @Test("CTX-13 when the coder of the hint fails, the error says both what the bytes are and what it found")
    func failing() {
        let manager = ImageCodersManager(coders: [UnmarkedCoder()])
        let page = Data("<!doctype html>".utf8)
        let hinted = options(.format(UnmarkedCoder.format))
        let error = #expect(throws: WebImageError.self) { try manager.decode(page, options: hinted) }
        #expect(error?.code == .badImageData)
        #expect(error?.reason.contains("an HTML page") == true)
        #expect(error?.reason.contains("not a scripted picture") == true)
    }

    @Test(
        "DOP-5 DOP-6 a RAW file, whose bytes are a TIFF's, is its coder's where a hint says so, and else the TIFF coder's",
        arguments: [
            (ImageFormatHint.none, UnmarkedCoder.claimed), (.format(.tiff), UnmarkedCoder.claimed),
            (.format(.raw), .raw),
            (ImageFormatHint.automatic.resolved(by: CacheKey("http://host/a.nef")), .raw),
        ])
    func rawHint(hint: ImageFormatHint, format: ImageFormat) throws {
        let coders = [
            MarkedCoder(format: UnmarkedCoder.claimed, claims: true), MarkedCoder(format: .raw, claims: false),
        ]
        let manager = ImageCodersManager(coders: coders)
        let file = ScriptedCoder.file(3, 2)
        #expect(try manager.decode(file, options: options(hint)).metadata.format == format)
        // When the hint's coder fails, the file is decoded without the hint.
        let failing = ImageCodersManager(coders: [coders[0], MarkedCoder(format: .raw, claims: false, fails: true)])
        #expect(try failing.decode(file, options: options(hint)).metadata.format == UnmarkedCoder.claimed)
    }

    @Test("of nothing, the error says that it is nothing, whatever the hint is")
    func empty() {
        let error = #expect(throws: WebImageError.self) {
            try ImageCodersManager.shared.decode(Data(), options: options(.format(.jpeg)))
        }
        #expect(error?.reason == "the body is empty")
    }

    @Test("a hint does not turn a cancellation into another failure")
    func cancelled() {
        let manager = ImageCodersManager(coders: [UnmarkedCoder()])
        var options = options(.format(UnmarkedCoder.format))
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

/// Marks each picture with its format; recognises all bytes, or only files with a hint.
private struct MarkedCoder: ImageCoder {
    let format: ImageFormat
    let claims: Bool
    var fails = false

    private let scripted = ScriptedCoder()

    init(format: ImageFormat, claims: Bool, fails: Bool = false) {
        self.format = format
        self.claims = claims
        self.fails = fails
    }

    func canDecode(_ data: Data) -> Bool { claims }
    func canDecode(_ format: ImageFormat) -> Bool { format == self.format }
    func canEncode(_ format: ImageFormat) -> Bool { false }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        guard !fails else {
            throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "it always fails")
        }
        return Image(
            bitmap: try scripted.decode(data, options: options).bitmap, metadata: ImageMetadata(format: format))
    }

    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data { try scripted.encode(image, to: format, options: options) }
}

/// A coder for files that their bytes do not identify.
private struct UnmarkedCoder: ImageCoder {
    static let format = ImageFormat(rawValue: 1001)
    /// The format that the bytes look like.
    static let claimed = ImageFormat.tiff

    private let scripted = ScriptedCoder()

    func canDecode(_ data: Data) -> Bool { false }
    func canDecode(_ format: ImageFormat) -> Bool { format == Self.format }
    func canEncode(_ format: ImageFormat) -> Bool { false }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try scripted.properties(of: data, isComplete: isComplete)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try scripted.decode(data, options: options)
    }

    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data { try scripted.encode(image, to: format, options: options) }
}
