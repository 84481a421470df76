import Foundation
import Testing
import WebImageCoders
import WebImageCore
import WebImageSVG
import WebImageTestSupport

@testable import WebImageIsolation
@testable import WebImageTestDoubles

/// A stranger's SVG, whatever it makes librsvg do, costs that picture at most.
@Suite(
    "SVG of strangers", .timeLimit(.minutes(15)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct HostileSVGTests {
    /// With buffers of its own: surfaces of hundreds of megabytes would leave other tests none.
    private static let manager: ImageCodersManager = {
        let path = DecoderPrograms.of(.helper).pictures.path
        let manager = ImageCodersManager(coders: [.svg])
        manager.decoderChoice = IsolatedDecoders(
            .helper, source: DecoderProcess(path: path, buffers: SharedBufferPool()))
        return manager
    }()

    private static let options: ImageDecodeOptions = {
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = .milliseconds(500)
        options.limits.maximumDecodeMemory = 512 << 20
        return options
    }()

    /// How a decode ends; nil where the document is drawn.
    private func ending(of document: Data, _ options: ImageDecodeOptions = Self.options) -> WebImageError? {
        do throws(WebImageError) {
            let image = try Self.manager.decode(document, options: options)
            #expect(!image.pixelSize.isEmpty)
            return nil
        } catch {
            return error
        }
    }

    private func drawsTheNext() throws -> Bool {
        let drawing = HostileSVG.file("<rect width='9' height='9' fill='red'/>")
        let image = try Self.manager.decode(drawing, options: ImageDecodeOptions())
        return image.bitmap.bytes == Array(repeatElement([255, 0, 0, 255], count: 81).joined())
    }

    @Test("a text that librsvg ends its process on is an error, or is drawn", arguments: HostileSVG.fonts)
    func fonts(document: Data) throws {
        let error = ending(of: document)
        #expect(error == nil || error?.code == .badImageData || error?.code == .limitExceeded, "\(error?.reason ?? "")")
        #expect(error?.kind != .transient)
        #expect(try drawsTheNext())
    }

    @Test(
        "rules and filters on which librsvg panics, hangs or recurses are an error, or are drawn",
        arguments: HostileSVG.rulesAndFilters)
    func rulesAndFilters(document: Data) throws {
        let error = ending(of: document)
        #expect(error == nil || error?.code == .badImageData || error?.code == .limitExceeded, "\(error?.reason ?? "")")
        #expect(try drawsTheNext())
    }

    @Test("references that multiply, lead deep or lead back end within the limits", arguments: HostileSVG.references)
    func references(document: Data) throws {
        let error = ending(of: document)
        #expect(error == nil || error?.code == .badImageData || error?.code == .limitExceeded, "\(error?.reason ?? "")")
        #expect(try drawsTheNext())
    }

    @Test("surfaces, tiles and pictures of gigabytes end within the limits", arguments: HostileSVG.surfaces)
    func surfaces(document: Data) throws {
        let error = ending(of: document)
        #expect(error == nil || error?.code == .badImageData || error?.code == .limitExceeded, "\(error?.reason ?? "")")
        #expect(try drawsTheNext())
    }

    @Test(
        "letters that take minutes are refused for their time, by the name of the limit", arguments: HostileSVG.longText
    )
    func letters(document: Data) throws {
        // On a busy machine, the time is looked at later: the letters laid out by then must not come to the limit of memory.
        var options = Self.options
        options.limits.maximumDecodeMemory = 8 << 30
        let error = ending(of: document, options)
        #expect(
            error?.code == .limitExceeded && error?.reason.contains("maximumDecodeDuration") == true,
            "\(error?.reason ?? "")")
        #expect(try drawsTheNext())
    }

    @Test(
        "the process that librsvg has ended is told as a crash, in the size of a thumbnail as well",
        arguments: HostileSVG.crashes)
    func crash(document: Data) throws {
        for box in [nil, PixelSize(width: 3, height: 3)] {
            var options = Self.options
            options.thumbnailPixelSize = box
            let error = ending(of: document, options)
            #expect(error?.code == .badImageData && error?.kind == .permanent)
            #expect(error?.reason.contains("a process of its own") == true, "\(error?.reason ?? "")")
        }
        #expect(try drawsTheNext())
    }

    @Test(
        "a text that ends the process of older versions has a size all the same; newer ones draw it, above the picture")
    func highText() throws {
        let properties = try Self.manager.properties(of: HostileSVG.highText, isComplete: true)
        #expect(properties?.pixelSize == PixelSize(width: 9, height: 9))
        if HostileSVG.isNewer {
            let image = try Self.manager.decode(HostileSVG.highText, options: Self.options)
            #expect(image.bitmap.bytes.allSatisfy { $0 == 0 })
        }
        #expect(try drawsTheNext())
    }

    @Test("files damaged at random decode or fail, and nothing worse", arguments: 1...2)
    func mutations(seed: Int) throws {
        let data = HostileSVG.file(
            """
            <defs><linearGradient id='a'><stop offset='0' stop-color='red'/><stop offset='1'/></linearGradient></defs>
            <g transform='rotate(10)'><path d='M1,2 L30 40 C1,2,3,4,5,6 Z' fill='url(#a)' stroke='blue'/></g>
            <text x='3' y='9' font-size='7'>ab</text><use href='#b'/><circle id='b' cx='5' cy='5' r='4'/>
            """, attributes: "viewBox='0 0 80 60'", side: 40)
        var mutator = FileMutator(seed: UInt64(seed))
        var options = Self.options
        options.limits.maximumPixelCount = 1 << 16
        for _ in 0..<700 {
            let damaged = mutator.mutate(data)
            // Others get to no decoder.
            guard DecoderKind.svg.recognizes(damaged) else { continue }
            let error = ending(of: damaged, options)
            #expect(error?.kind != .transient, "\(error?.reason ?? "")")
        }
        #expect(try drawsTheNext())
    }

    @Test("pictures and documents within a document are drawn as in this process")
    func pictures() throws {
        let inner = HostileSVG.file("<text y='9'>a</text><rect width='5' height='5' fill='red'/>")
        let png = try Fixtures.data("animated.png").base64EncodedString()
        let document = HostileSVG.file(
            "<image width='9' height='9' href='data:image/svg+xml;base64,\(inner.base64EncodedString())'/>"
                + "<image x='9' width='9' height='9' href='data:;base64,\(png)'/>", side: 18)
        let expected = try SVGCoder.svg.decode(document, options: ImageDecodeOptions())
        #expect(try Self.manager.decode(document, options: ImageDecodeOptions()).bitmap.bytes == expected.bitmap.bytes)
        #expect(expected.bitmap.bytes.contains { $0 != 0 })
    }
}
