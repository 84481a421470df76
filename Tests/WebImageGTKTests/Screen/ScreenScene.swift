import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A window with one `GtkPicture` on the screen, and its expected pixels.
@MainActor
final class ScreenScene {
    let stage: ScreenStage
    let view: PictureView
    private let old: Bitmap
    private let new: Bitmap
    private let fit: ContentFit
    private let manager = TestStage()
    private let test: GTKTestCase
    private var time: Int64 = 1_000_000
    private(set) var ticks = 0

    /// Two pictures of the view's width, the old one as high as the view and the new one with this margin in points
    /// above and below, at the screen's pixels.
    ///
    /// - Parameter renderer: nil for GTK's choice.
    convenience init(
        _ size: PixelSize, margin: Int, renderer: ScreenRenderer?, _ test: GTKTestCase
    ) throws {
        try self.init(size, fit: .contain, renderer: renderer, test) { scale throws(WebImageError) in
            try (0...1).map { number throws(WebImageError) in
                try SamplePicture.make(
                    number, width: size.width * scale, height: (size.height - 2 * number * margin) * scale)
            }
        }
    }

    /// - Parameter pictures: Makes the old and the new one, for this scale factor.
    init(
        _ size: PixelSize, fit: ContentFit, renderer: ScreenRenderer?, _ test: GTKTestCase,
        pictures: (_ scale: Int) throws(WebImageError) -> [Bitmap]
    ) throws {
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        gtk_picture_set_content_fit(OpaquePointer(picture), fit.ofGTK)
        view = PictureView(picture)
        stage = try ScreenStage(size, picture, renderer, test)
        let made = try pictures(stage.scale)
        (old, new) = (made[0], made[1])
        (self.fit, self.test) = (fit, test)
        view.display?.time = { [weak self] _ in
            self?.ticks += 1
            return self?.time ?? 0
        }
        for (name, bitmap) in [("old", old), ("new", new)] {
            manager.cache.storeInMemory(Image(bitmap: bitmap), for: CacheKey(manager.url(name).absoluteString))
        }
        view.setImage(with: manager.url("old"), context: manager.context)
    }

    /// Loads the new picture, which appears by `effect`, linearly and in one second.
    func begin(_ effect: TransitionEffect) {
        var transition = WidgetTransition.custom(effect, duration: .seconds(1))
        transition.timingFunction = .linear
        view.imageTransition = transition
        view.setImage(
            with: manager.url("new"), options: [.forceTransition, .delayPlaceholder], context: manager.context)
    }

    var isAnimating: Bool { view.display?.isAnimating == true }

    /// Draws two frames before and after moving the clock; the second one is certain to begin after the move.
    func move(to progress: Double) {
        drawFrames()
        time = 1_000_000 + Int64(progress * 1_000_000)
        drawFrames()
    }

    func drawFrames() {
        let end = ticks + 2
        test.iterate(until: { ticks >= end || !isAnimating }, "two frames")
    }

    func assertSeen(
        progress: Double, of effect: TransitionEffect, atLeast least: Double, _ what: String = "", line: UInt = #line
    ) {
        let painted = painted
        let layers = effect.layers(at: progress, in: painted.scene)
        let expected = painted.expected(layers).over(ScreenStage.background)
        stage.assertSeen(expected, atLeast: least, "\(effect.name) at \(progress) \(what)", line: line)
    }

    /// GtkPicture's layout rules, written independently.
    private var painted: PaintedScene {
        let size = PointSize(width: Double(stage.size.width), height: Double(stage.size.height))
        return PaintedScene(
            TransitionScene(
                size: size, scale: Double(stage.scale), oldFrame: frame(of: old, in: size),
                newFrame: frame(of: new, in: size)),
            old: old, new: new)
    }

    private func frame(of bitmap: Bitmap, in size: PointSize) -> PointRect {
        let (width, height) = (Double(bitmap.size.width), Double(bitmap.size.height))
        let factors = (size.width / width, size.height / height)
        let factor =
            switch fit {
            case .fill: 0.0
            case .contain: min(factors.0, factors.1)
            case .cover: max(factors.0, factors.1)
            case .scaleDown: min(1, factors.0, factors.1)
            }
        guard factor > 0 else { return PointRect(x: 0, y: 0, size: size) }
        let drawn = PointSize(width: width * factor, height: height * factor)
        let x = ((size.width - drawn.width.rounded(.up)) / 2).rounded(.towardZero)
        let y = ((size.height - drawn.height.rounded(.up)) / 2).rounded(.towardZero)
        return PointRect(x: x, y: y, size: drawn)
    }
}

extension ContentFit {
    fileprivate var ofGTK: GtkContentFit {
        switch self {
        case .fill: GTK_CONTENT_FIT_FILL
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .cover: GTK_CONTENT_FIT_COVER
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        }
    }
}

extension Pixels {
    /// The pixels over an opaque colour.
    fileprivate func over(_ background: Colour) -> Pixels {
        var result = self
        let back = SIMD4(background.channels.map { Float($0) })
        for y in 0..<size.height {
            for x in 0..<size.width { result[x, y] += back * (1 - self[x, y][3] / 255) }
        }
        return result
    }
}
