import CRefusal
import Foundation
import Testing
import WebImageCoders
import WebImageCore
@testable import WebImageIsolation
import WebImageSVG
import WebImageTestSupport

/// Text in documents that a locked process draws.
@Suite(
    "Fonts of a decoder process", .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct FontTests {
    private static func document(_ family: String, size: Int = 20, style: String = "") -> Data {
        Data(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="199" height="60"><text y="40" font-family="\(family)" \
            font-size="\(size)" \(style)>Text</text></svg>
            """.utf8)
    }

    private static func pixels(of data: Data, from source: DecoderProcess) throws -> [UInt8] {
        let file = try source.makeFile(of: data)
        let buffer = try source.makeBuffer(byteCount: 199 * 60 * 4)
        let order = "decode \(data.count) \(buffer.bytes.count)"
        let answer = try source.answer(to: order, with: [file, buffer.file], from: .svg)
        try #require(answer == "199 60")
        return Array(buffer.bytes.prefix(199 * 60 * 4))
    }

    @Test(
        "text has the pixels of a decode in this process, in each font and size, also those that no picture had before")
    func text() throws {
        let source = FaultyHelper.make()
        let styles = ["", #"font-weight="bold""#, #"font-style="italic""#]
        for family in ["sans-serif", "serif", "monospace", "none such"] {
            for (size, style) in zip([11, 20, 33], styles) {
                let data = Self.document(family, size: size, style: style)
                let expected = try SVGCoder.svg.decode(data, options: ImageDecodeOptions()).bitmap
                let found = try Self.pixels(of: data, from: source)
                let isSame = expected.withUnsafeBytes { $0.elementsEqual(found) }
                #expect(isSame, "\(family) \(size) \(style)")
                #expect(found.contains { $0 != 0 } as Bool)
            }
        }
    }

    @Test("a helper that has few descriptors left draws the right text, or there is an error for now")
    func fewDescriptors() async throws {
        try await #require(processExitsWith: .success) {
            recordingErrors(FontTests.fewDescriptorsInChild)
        }
    }

    fileprivate static func fewDescriptorsInChild() throws {
        let source = FaultyHelper.make()
        let data = document("sans-serif", size: 31)
        let expected = try pixels(of: data, from: source)
        source.settle()
        let helper = try #require(ProcessHoldings.descendants(of: getpid()).first)
        var failures = 0
        for count in 4...16 as ClosedRange<UInt64> {
            try #require(webimage_limit_descriptors(helper, count) == 0)
            do {
                #expect(try pixels(of: data, from: source) == expected, "\(count) descriptors")
            } catch let error as WebImageError {
                #expect(error.kind == .transient, "\(error.reason)")
                failures += 1
            }
            source.settle()
        }
        #expect((1..<13).contains(failures))
    }

    @Test("without the file of a font there is an error, and no text in another font")
    func missingFont() async throws {
        try await #require(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "fonts-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let fonts = FileManager.default.enumerator(atPath: "/usr/share/fonts")?.compactMap { $0 as? String } ?? []
            guard let font = fonts.first(where: { $0.hasSuffix("DejaVuSans-Bold.ttf") }) else { return }
            let copy = folder.appending(path: "font.ttf").path
            try FileManager.default.copyItem(atPath: "/usr/share/fonts/\(font)", toPath: copy)
            let settings = folder.appending(path: "fonts.conf")
            try Data("<fontconfig><dir>\(folder.path)</dir><cachedir>\(folder.path)</cachedir></fontconfig>".utf8)
                .write(to: settings)
            setenv("FONTCONFIG_FILE", settings.path, 1)
            let source = FaultyHelper.make()
            #expect(try FontTests.pixels(of: FontTests.document("sans-serif"), from: source).contains { $0 != 0 })
            try FileManager.default.removeItem(atPath: copy)
            let data = FontTests.document("sans-serif", size: 31)
            let error = #expect(throws: WebImageError.self) { try FontTests.pixels(of: data, from: source) }
            #expect(error?.kind == .transient && error?.reason.contains("font") == true, "\(error?.reason ?? "")")
        }
    }
}
