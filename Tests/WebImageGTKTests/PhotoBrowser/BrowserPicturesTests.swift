import CGtk4
import FoundationEssentials
import Glibc
import WebImage
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The phases of the handoff and of the flight as pictures: compared with what they must be, and drawn for
/// Docs/PhotoBrowser.md where `WEBIMAGE_DRAW_BROWSER` names a folder.
final class BrowserPicturesTests: GTKTestCase, @unchecked Sendable {
    /// S2-7 S2-11 S2-14 Each phase of a squeeze looks as computed: the thumbnail at its height and opacity, and then the
    /// original at its own.
    func testPhases() throws {
        try onMainThread {
            try requireDisplay()
            let panorama = try Image(bitmap: SamplePicture.make(1, width: 1600, height: 160))
            let thumbnail = try Image(bitmap: SamplePicture.make(2, width: 320, height: 240))
            let (stage, arrive) = try stage(thumbnail, panorama)
            defer { stage.close() }
            let page = try XCTUnwrap(stage.page)
            try check(stage, thumbnail, in: try XCTUnwrap(page.helper).frame, opacity: 1)
            arrive()
            for progress in [0.25, 0.5, 1] {
                stage.animator.advance(to: progress)
                try check(stage, thumbnail, in: try XCTUnwrap(page.helper).frame, opacity: 1 - progress / 2)
            }
            stage.animator.finish()
            for progress in [0, 0.5, 1] {
                stage.animator.advance(to: progress)
                try check(stage, panorama, in: page.zoom.frame, opacity: 0.5 + progress / 2)
            }
        }
    }

    /// Draws the pictures of the documentation.
    func testDocumentation() throws {
        guard let folder = getenv("WEBIMAGE_DRAW_BROWSER").map({ String(cString: $0) }) else { return }
        try onMainThread {
            try requireDisplay()
            let file = URL(filePath: "Sources/webimage-gallery/Pictures/islands-07.jpg")
            let photo = try Image(bitmap: Image(data: try Data(contentsOf: file)).bitmap)
            let strip = try XCTUnwrap(photo.cropped(toAspectRatio: 6))
            let thumbnail = try XCTUnwrap(photo.cropped(toAspectRatio: 4.0 / 3))
            let (stage, arrive) = try stage(thumbnail, strip)
            defer { stage.close() }
            try save(stage, folder, "covered")
            arrive()
            stage.animator.advance(to: 0.6)
            try save(stage, folder, "squeezing")
            stage.animator.finish()
            stage.animator.advance(to: 0.3)
            try save(stage, folder, "brightening")
            try drawFlight(of: photo, folder)
        }
    }

    @MainActor
    private func drawFlight(of photo: Image, _ folder: String) throws {
        let stage = try browserStage(3) {
            $0.app.photos[0] = Photo(image: photo)
            for index in 0..<3 { $0.app.thumbnails[index] = Photo(image: photo) }
        }
        defer { stage.close() }
        iterate(until: { stage.page?.hasPicture == true }, "the photo is there")
        let cell = PointRect(x: 330, y: 220, width: 160, height: 160)
        let size = PointSize(width: Double(photo.pixelSize.width), height: Double(photo.pixelSize.height))
        let frame = ContentFit.cover.frame(of: size, in: cell.size)
        let place = PictureFlight.Place(
            frame: PointRect(x: cell.x + frame.x, y: cell.y + frame.y, size: frame.size), clip: cell)
        stage.browser.flight.arrive(from: place) {}
        for (progress, name) in [(0.02, "flight-start"), (0.5, "flight-middle")] {
            stage.animator.advance(to: progress)
            try save(stage, folder, name)
        }
        stage.animator.finish()
        try save(stage, folder, "flight-end")
    }

    /// A browser with a photo that comes when `arrive` is called.
    @MainActor
    private func stage(_ thumbnail: Image, _ original: Image) throws -> (stage: BrowserStage, arrive: () -> Void) {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let stage = try browserStage(1) {
            $0.app.photos[0] = Photo(
                .closure {
                    for await _ in gate { break }
                    return original
                })
            $0.app.thumbnails[0] = Photo(image: thumbnail)
        }
        iterate(until: { stage.app.photos[0].isLoading }, "the photo is being loaded")
        return (
            stage,
            {
                opening.finish()
                self.iterate(until: { stage.page?.handoff.phase.isAnimating == true }, "the handoff has begun")
            }
        )
    }

    /// The browser's drawing is the picture in a frame, over black.
    @MainActor
    private func check(
        _ stage: BrowserStage, _ image: Image, in frame: PointRect, opacity: Double, line: UInt = #line
    ) throws {
        let drawn = try XCTUnwrap(stage.drawing)
        let page = ExpectedPage(image) { snapshot, texture in
            snapshot.faded(to: opacity) { snapshot.draw(texture, in: frame) }
        }
        let expected = Rendering(PaintableHandle(page), width: drawn.width, height: drawn.height)
        XCTAssertGreaterThan(drawn.psnr(expected), 45, line: line)
    }

    @MainActor
    private func save(_ stage: BrowserStage, _ folder: String, _ name: String) throws {
        let bitmap = try XCTUnwrap(stage.drawing).image.bitmap.resized(to: PixelSize(width: 400, height: 300))
        try Image(bitmap: bitmap).data(as: .jpeg).write(to: URL(filePath: "\(folder)/\(name).jpg"))
    }
}
