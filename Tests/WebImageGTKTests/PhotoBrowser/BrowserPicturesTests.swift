import CGtk4
import FoundationEssentials
import Glibc
import WebImage
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
                // From all of the view to the tenth of 800 points that the panorama is high.
                let height = 600 - 520 * progress
                let frame = PointRect(x: 0, y: 300 - height / 2, width: 800, height: height)
                try check(stage, thumbnail, in: frame, opacity: 1 - progress / 2)
            }
            stage.animator.finish()
            for progress in [0, 0.5, 1] {
                stage.animator.advance(to: progress)
                let frame = PointRect(x: 0, y: 260, width: 800, height: 80)
                try check(stage, panorama, in: frame, opacity: 0.5 + progress / 2)
            }
            XCTAssertNil(page.helper)
        }
    }

    /// S2-19 In each phase of a cross-fade, a picture is mixed from both where they overlap, and from the thumbnail and the
    /// ground elsewhere.
    func testCrossFade() throws {
        try onMainThread {
            try requireDisplay()
            let original = try Image(bitmap: SamplePicture.make(3, width: 400, height: 225))
            let thumbnail = try Image(bitmap: SamplePicture.make(4, width: 300, height: 300))
            let (stage, arrive) = try stage(thumbnail, original) {
                $0.app.photos[0].expectedPixelSize = PixelSize(width: 2000, height: 2000)
            }
            defer { stage.close() }
            arrive()
            let below = rendering(of: thumbnail, in: PointRect(x: 100, y: 0, width: 600, height: 600))
            // It is not enlarged.
            let above = rendering(of: original, in: PointRect(x: 200, y: 187.5, width: 400, height: 225))
            for progress in [0, 0.25, 0.5, 1] {
                stage.animator.advance(to: progress)
                let drawn = try XCTUnwrap(stage.drawing)
                let differences = Self.samples.flatMap { x, y in
                    let colours = [below, above, drawn].map { $0.colour(x: x, y: y).channels }
                    // Beside a picture there is the black ground.
                    return (0..<3).map { channel in
                        let mixed = Double(colours[0][channel]).mixed(with: Double(colours[1][channel]), progress)
                        return abs(Double(colours[2][channel]) - mixed)
                    }
                }
                XCTAssertLessThan(differences.max() ?? 255, 4, "at \(progress)")
            }
        }
    }

    /// Points that are not at the edges of a picture.
    private static let samples = stride(from: 7, to: 800, by: 43).flatMap { x in
        stride(from: 9, to: 600, by: 37).map { (x, $0) }
    }

    /// S2-6 The top of a vertical long picture stands where that will be: the swap is not to be seen.
    func testVerticalPicture() throws {
        try onMainThread {
            try requireDisplay()
            let original = try Image(bitmap: SamplePicture.make(5, width: 100, height: 2000))
            var options = ImageDecodeOptions()
            options.region = .cropped(columns: 0..<100, rows: 0..<75)
            let top = try Image(data: original.data(as: .png), options: options)
            let (stage, arrive) = try stage(top, original) {
                $0.app.photos[0].expectedPixelSize = PixelSize(width: 100, height: 2000)
            }
            defer { stage.close() }
            try check(stage, top, in: PointRect(x: 0, y: 0, width: 800, height: 600), opacity: 1)
            let before = try XCTUnwrap(stage.drawing)
            arrive()
            XCTAssertNil(stage.page?.helper)
            try check(stage, original, in: PointRect(x: 0, y: 0, width: 800, height: 16_000), opacity: 1)
            XCTAssertGreaterThan(try XCTUnwrap(stage.drawing).psnr(before), 35)
        }
    }

    /// A picture in flight is half-way between its places in the middle, over a ground that is half there.
    func testFlight() throws {
        let picture = try Image(bitmap: SamplePicture.make(6, width: 320, height: 320))
        try onThumbnails {
            PictureView($0.thumbnails[0]).image = picture
        } test: { stage in
            present(stage)
            for (progress, frame) in [
                (0, PointRect(x: 0, y: 0, width: 100, height: 100)),
                (0.5, PointRect(x: 50, y: 0, width: 350, height: 350)),
                (1, PointRect(x: 100, y: 0, width: 600, height: 600)),
            ] {
                stage.animator.advance(to: progress)
                try check(stage, picture, in: frame, opacity: 1, ground: progress)
            }
        }
    }

    /// MW-8 A picture that a finger has drawn down is smaller, about its middle and the finger's way, and its ground clearer.
    func testDragDown() throws {
        let picture = try Image(bitmap: SamplePicture.make(7, width: 800, height: 450))
        try onThumbnails {
            $0.app.photos[0] = Photo(image: picture)
        } test: { stage in
            present(stage)
            stage.animator.finishAll()
            let input = try XCTUnwrap(stage.browser.input)
            input.beginDrag(to: 30, 120, at: 0.1)
            // A fifth of the height: smaller by 0.4 times that, and clearer by 1.5 times that.
            let frame = PointRect(x: 400 - 368 + 30, y: 300 - 207 + 120, width: 736, height: 414)
            try check(stage, picture, in: frame, opacity: 1, ground: 0.7)
            input.cancelDrag()
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
        stage.browser.pages.flight.arrive(from: place) {}
        for (progress, name) in [(0.02, "flight-start"), (0.5, "flight-middle")] {
            stage.animator.advance(to: progress)
            try save(stage, folder, name)
        }
        stage.animator.finish()
        try save(stage, folder, "flight-end")
    }

    /// A browser with a photo that comes when `arrive` is called.
    @MainActor
    private func stage(
        _ thumbnail: Image, _ original: Image, _ configure: (BrowserStage) -> Void = { _ in }
    ) throws -> (stage: BrowserStage, arrive: () -> Void) {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let stage = try browserStage(1) {
            $0.app.photos[0] = Photo(
                .closure {
                    for await _ in gate { break }
                    return original
                })
            $0.app.thumbnails[0] = Photo(image: thumbnail)
            configure($0)
        }
        iterate(until: { stage.app.photos[0].isLoading }, "the photo is being loaded")
        return (
            stage,
            {
                opening.finish()
                self.iterate(until: { stage.page?.hasPicture == true }, "the original is there")
            }
        )
    }

    /// The browser's drawing is the picture in a frame, over black.
    @MainActor
    private func check(
        _ stage: BrowserStage, _ image: Image, in frame: PointRect, opacity: Double, ground: Double = 1,
        line: UInt = #line
    ) throws {
        let drawn = try XCTUnwrap(stage.drawing, line: line)
        let expected = rendering(of: image, in: frame, opacity: opacity, ground: ground)
        XCTAssertGreaterThan(drawn.psnr(expected), 45, line: line)
    }

    @MainActor
    private func rendering(
        of image: Image, in frame: PointRect, opacity: Double = 1, ground: Double = 1
    ) -> Rendering {
        let page = ExpectedPage(image, over: ground) { snapshot, texture in
            snapshot.faded(to: opacity) { snapshot.draw(texture, in: frame) }
        }
        return Rendering(PaintableHandle(page), width: 800, height: 600)
    }

    @MainActor
    private func save(_ stage: BrowserStage, _ folder: String, _ name: String) throws {
        let bitmap = try XCTUnwrap(stage.drawing).image.bitmap.resized(to: PixelSize(width: 400, height: 300))
        try Image(bitmap: bitmap).data(as: .jpeg).write(to: URL(filePath: "\(folder)/\(name).jpg"))
    }
}
