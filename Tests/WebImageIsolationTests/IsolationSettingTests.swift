import Foundation
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageIsolation
import WebImageLoading
import WebImageSVG

@testable import WebImageCoders
@testable import WebImageTestDoubles

/// `ImageCodersManager.isolation` chooses the coders that decode.
@Suite("Isolation of decoders", .timeLimit(.minutes(5)))
struct IsolationSettingTests {
    private struct OwnCoder: ImageCoder {
        func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data) == .svg }
        func canDecode(_ format: ImageFormat) -> Bool { format == .svg }
        func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }
        func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image { throw .cancelled() }
    }

    private static let drawing = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#.utf8)

    private static func isolated(_ coder: (any ImageCoder)?) -> DecoderKind? { (coder as? IsolatedCoder)?.kind }

    @Test(
        "by default everything is decoded in this process, and the formats beyond the built-in ones by a helper where it is set"
    )
    func formats() throws {
        let manager = ImageCodersManager(coders: [.svg, .png])
        let png = try Data(contentsOf: URL(filePath: Fixtures.path("animated.png")))
        #expect(manager.isolation == .inProcess)
        #expect(Self.isolated(manager.decoder(for: Self.drawing)) == nil)
        manager.isolation = .helper
        #expect(Self.isolated(manager.decoder(for: Self.drawing)) == .svg)
        #expect(Self.isolated(manager.decoder(for: png)) == nil && manager.decoder(for: png) != nil)
        manager.isolation = .all
        #expect(Self.isolated(manager.decoder(for: png)) == .png)
        #expect(manager.coders.count == 2 && manager.canEncode(.png))
        manager.isolation = .inProcess
        #expect(Self.isolated(manager.decoder(for: Self.drawing)) == nil)
    }

    @Test("a format whose coder the app does not link is decoded by the helper")
    func missingCoder() {
        let manager = ImageCodersManager(coders: [])
        #expect(!manager.canDecode(Self.drawing))
        manager.isolation = .helper
        #expect(manager.canDecode(Self.drawing) && manager.canDecode(.avif) && !manager.canDecode(.png))
    }

    @Test("a coder of the app's own keeps its place, before and after the setting")
    func ownCoder() {
        let manager = ImageCodersManager(coders: [.svg, OwnCoder()])
        manager.isolation = .helper
        #expect(manager.decoder(for: Self.drawing) is OwnCoder)
        manager.removeAll(ofType: OwnCoder.self)
        #expect(Self.isolated(manager.decoder(for: Self.drawing)) == .svg)
        manager.add(OwnCoder())
        #expect(manager.decoder(for: Self.drawing) is OwnCoder)
        manager.add(.svg)
        #expect(Self.isolated(manager.decoder(for: Self.drawing)) == .svg)
    }

    @Test("a coder of the library that a request chooses decodes where the manager's isolation says, and encodes here")
    func chosenCoder() {
        let manager = ImageCodersManager(coders: [])
        #expect(manager.decoder(inPlaceOf: .svg) is SVGCoder)
        manager.isolation = .helper
        #expect(Self.isolated(manager.decoder(inPlaceOf: .svg)) == .svg)
        #expect(manager.decoder(inPlaceOf: OwnCoder()) is OwnCoder && manager.decoder(inPlaceOf: .png) is PNGCoder)
    }

    @Test(
        "a load whose request chooses a coder of the library fails where the helper is missing, and is not decoded here"
    )
    func chosenCoderOfLoad() async throws {
        let manager = ImageCodersManager(coders: [])
        let loads = WebImageManager(
            cache: ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk()), loader: DataURLLoader(),
            coder: manager)
        let url = try #require(URL(string: "data:image/svg+xml;base64," + Self.drawing.base64EncodedString()))
        var context = WebImageContext()
        context.coder = .svg
        let request = ImageRequest(url, options: .fromLoaderOnly, context: context)
        #expect(try await loads.image(for: request).pixelSize.width == 9)
        manager.isolation = DecoderIsolation(.beyondBuiltIn, helperPath: "/nonexistent/decoder")
        let error = await #expect(throws: WebImageError.self) {
            try await loads.image(for: request)
        }
        #expect(error?.kind == .policy && error?.reason.contains("/nonexistent/decoder") == true)
    }

    @Test("without the helper nothing is decoded in this process instead: one error says where it was looked for")
    func noHelper() {
        let manager = ImageCodersManager(coders: [.svg])
        manager.isolation = DecoderIsolation(.beyondBuiltIn, helperPath: "/nonexistent/decoder")
        let error = #expect(throws: WebImageError.self) {
            try manager.decode(Self.drawing, options: ImageDecodeOptions())
        }
        #expect(error?.kind == .policy && error?.reason.contains("/nonexistent/decoder") == true)
        #expect(throws: WebImageError.self) { try manager.isolation.status() }
    }
}
