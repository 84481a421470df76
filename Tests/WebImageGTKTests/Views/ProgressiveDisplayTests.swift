import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures that are shown in parts.
final class ProgressiveDisplayTests: GTKTestCase, @unchecked Sendable {
    /// S0-5: each part shows at once.
    func testPartsAppearFromTopToBottom() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            for rows in [2, 5, 8] {
                scene.display.show(step: try part(rows: rows), as: .topToBottom)
                XCTAssertFalse(scene.display.isAnimating)
                let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(scene.widget)))
                let drawn = Rendering(paintable, width: 8, height: 8)
                XCTAssertEqual((0..<8).filter { drawn.colour(x: 4, y: $0) == .blue }, Array(0..<rows))
            }
        }
    }

    func testPartsMayBecomeSharpGradually() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            scene.display.show(try Colour.red.image(width: 2, height: 2))
            scene.display.show(
                step: try Colour.blue.image(width: 4, height: 4), as: .blurToSharp(duration: .seconds(1)))
            scene.advance(self, by: 0)
            assertEqual(scene.stage.colour, .red)
            scene.advance(self, by: 500_000)
            let seen = scene.stage.colour
            XCTAssertGreaterThan(seen.blue, 100)
            XCTAssertGreaterThan(seen.red, 20)
            // The next part arrives before the fade is over, and starts from its current frame.
            scene.display.show(step: try Colour.green.image(), as: .blurToSharp(duration: .seconds(1)))
            scene.advance(self, by: 0)
            assertEqual(scene.stage.colour, seen)
            scene.finish(self)
            assertEqual(scene.stage.colour, .green)
            XCTAssertTrue(scene.showsStillPicture)
        }
    }

    /// S0-5, S0-13: real bytes of a picture that is stored row by row, into a view.
    func testRealBytesRevealThePictureInTheViewFromTopToBottom() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let file = try ArrivingFile()
            scene.stage.view.setImage(with: file.url, options: .progressiveLoad, context: file.context)
            var rows: [Int] = []
            for share in [0.3, 0.6, 0.9] {
                file.send(upTo: share)
                iterate(until: { (shownRows(scene)) > rows.last ?? 0 }, "more rows")
                rows.append(shownRows(scene))
            }
            XCTAssertEqual(scene.stage.view.image?.metadata.isIncremental, true)
            XCTAssertLessThan(try XCTUnwrap(rows.last), 64)
            file.finish()
            iterate(until: { scene.stage.view.image?.metadata.isIncremental == false }, "the whole")
            XCTAssertEqual(shownRows(scene), 64)
        }
    }

    /// S0-5: without the option, nothing shows before the picture is complete.
    func testWithoutTheOptionNothingIsShownBeforeTheEnd() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let file = try ArrivingFile()
            let received = Recorder<LoadProgress>()
            scene.stage.view.setImage(
                with: file.url, placeholder: try Colour.red.image(), context: file.context,
                progress: { received.append($0) })
            file.send(upTo: 0.9)
            iterate(until: { !received.values.isEmpty }, "the bytes")
            XCTAssertEqual(file.requestsData, false)
            scene.advanceFrames(self)
            XCTAssertEqual(scene.stage.view.image?.colour, .red)
            file.finish()
            iterate(until: { scene.stage.view.image?.colour != .red }, "the whole")
            XCTAssertEqual(shownRows(scene), 64)
        }
    }

    /// S0-13: the last step, from the last part to the complete picture, is gradual, too.
    func testTheWholeComesAsGraduallyAsItsParts() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let view = scene.stage.view
            view.progressiveDisplay = .blurToSharp(duration: .seconds(1))
            let file = try ArrivingFile()
            view.setImage(with: file.url, options: .progressiveLoad, context: file.context)
            for share in [0.3, 0.6] {
                let before = view.image
                file.send(upTo: share)
                iterate(until: { view.image !== before && view.image != nil }, "a part")
                XCTAssertTrue(scene.display.isAnimating)
            }
            scene.advance(self, by: 0)
            scene.finish(self)
            XCTAssertLessThan(shownRows(scene), 64)
            file.finish()
            iterate(until: { view.image?.metadata.isIncremental == false }, "the whole")
            XCTAssertTrue(scene.display.isAnimating)
            scene.advance(self, by: 0)
            XCTAssertLessThan(shownRows(scene), 64)
            scene.finish(self)
            XCTAssertEqual(shownRows(scene), 64)
            XCTAssertTrue(scene.showsStillPicture)

            // A picture in memory shows at once, even so.
            view.setImage(with: file.url, context: file.context)
            XCTAssertFalse(scene.display.isAnimating)
        }
    }

    /// Rows of 64 that are opaque in their middle.
    @MainActor
    private func shownRows(_ scene: DisplayScene) -> Int {
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(scene.widget)) else { return 0 }
        let drawn = Rendering(paintable, width: 64, height: 64)
        return (0..<64).count { drawn.colour(x: 32, y: $0).alpha == 255 }
    }

    private func part(rows: Int) throws -> Image {
        let pixels = (0..<8).flatMap { row in
            (0..<8).flatMap { _ in (row < rows ? Colour.blue : .clear).channels }
        }
        var metadata = ImageMetadata()
        metadata.isIncremental = rows < 8
        return Image(bitmap: try Bitmap(size: PixelSize(width: 8, height: 8), pixels: pixels), metadata: metadata)
    }
}

/// A PNG of 64 × 64 pixels whose bytes arrive when the test says so, decoded by the library's own coders.
private final class ArrivingFile {
    let url = URL(filePath: "/arriving.png")
    private let data: Data
    private let loader = SuspendedLoader()
    private let manager: WebImageManager
    private var sent = 0

    init() throws {
        let picture = Image(bitmap: try SamplePicture.make(0, width: 64, height: 64))
        data = try ImageCodersManager.shared.encode(picture, to: .png, options: ImageEncodeOptions())
        manager = WebImageManager(cache: SuspendedCache(), loader: loader, coder: ImageCodersManager.shared)
    }

    var context: WebImageContext {
        var context = WebImageContext()
        context.manager = manager
        return context
    }

    /// Whether the load asks for partial bytes; nil when there is none.
    var requestsData: Bool? { loader.loads.first?.request.reportsData }

    func send(upTo share: Double) {
        let end = Int(Double(data.count) * share)
        loader.loads.first?.send(data[sent..<end])
        loader.loads.first?.progress(end, of: data.count)
        sent = end
    }

    func finish() { loader.loads.first?.finish(data) }
}
