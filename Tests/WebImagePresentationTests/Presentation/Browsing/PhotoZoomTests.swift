import Testing
import WebImageCore
import WebImagePresentation

@testable import WebImageTestDoubles

@Suite("The place of a picture on its page")
struct PhotoZoomTests {
    private let view = PointSize(width: 1000, height: 700)

    private func zoom(_ width: Double, _ height: Double) -> PhotoZoom {
        PhotoZoom(of: PointSize(width: width, height: height), in: view)
    }

    @Test("MW-32 a picture smaller than the view is centred, at every factor")
    func centred() {
        let small = zoom(300, 300)
        #expect(small.frame == PointRect(x: 350, y: 200, width: 300, height: 300))
        var wide = zoom(4000, 1000)
        #expect(wide.frame == PointRect(x: 0, y: 225, width: 1000, height: 250))
        wide.zoom(to: 0.5, atX: 0, y: 0)
        #expect(wide.frame.y == 100 && wide.frame.size.height == 500)
    }

    @Test("S2-6 a vertical long picture opens at its top, filled to the width")
    func top() {
        #expect(zoom(500, 20_000).frame == PointRect(x: 0, y: 0, width: 1000, height: 40_000))
    }

    @Test("MW-31 a picture that covers the view at first is centred on both axes")
    func covered() {
        let frame = zoom(3000, 2000).frame
        #expect(frame.x == (1000 - 1050) / 2 && frame.y == 0 && frame.size.width == 1050)
    }

    @Test("zooming keeps the point under the pointer, as far as the edges allow")
    func pointer() {
        var zoom = zoom(4000, 2800)
        zoom.zoom(to: 1, atX: 500, y: 350)
        #expect(zoom.frame == PointRect(x: -1500, y: -1050, width: 4000, height: 2800))
        zoom.zoom(to: 2, atX: 100, y: 100)
        // The point of the picture at (1600, 1150) stays.
        #expect(zoom.frame.x == 100 - 1600 * 2 && zoom.frame.y == 100 - 1150 * 2)
        zoom.zoom(to: 100, atX: 0, y: 0)
        #expect(zoom.scale == zoom.limits.maximum)
        zoom.zoom(to: 0, atX: 0, y: 0)
        #expect(zoom.scale == zoom.limits.minimum && zoom.frame.x == 0 && zoom.frame.y == 0)
    }

    @Test("MW-33 a double click zooms to the middle of the limits around the point, and out again from there")
    func toggled() {
        let fitted = zoom(4000, 2800)
        let near = fitted.toggled(atX: 0, y: 0)
        #expect(near.scale == (fitted.limits.minimum + fitted.limits.maximum) / 2 && near.frame.x == 0)
        #expect(near.toggled(atX: 500, y: 350).scale == fitted.limits.minimum)
    }

    @Test("MW-33 a double click on a picture at its initial factor zooms in, also where that is not the smallest")
    func toggledFromInitial() {
        let filled = zoom(3000, 2000)
        #expect(filled.scale != filled.limits.minimum)
        #expect(filled.toggled(atX: 1, y: 1).scale == (filled.limits.minimum + filled.limits.maximum) / 2)
    }

    @Test("MW-33 a picture that was zoomed in and out by the same factor counts as one that was not zoomed")
    func zoomedInAndOut() {
        for picture in [zoom(3000, 2000), zoom(2750, 2000)] {
            var other = picture
            for factor in [1.25, 0.8] { other.zoom(to: other.scale * factor, atX: 500, y: 350) }
            #expect(other.scale != picture.scale, "the rounding that this is about")
            #expect(!other.isZoomed)
            #expect(other.toggled(atX: 1, y: 1).scale == (picture.limits.minimum + picture.limits.maximum) / 2)
            let view = PointSize(width: 500, height: 900)
            #expect(other.resized(to: view, rules: .init()).scale == picture.resized(to: view, rules: .init()).scale)
        }
    }

    @Test("panning stops at the edges; a drag follows by half beyond them, and springs back")
    func edges() {
        var zoom = zoom(4000, 2800)
        zoom.zoom(to: 1, atX: 0, y: 0)
        zoom.pan(byX: 500, y: -10_000)
        #expect(zoom.frame.x == 0 && zoom.frame.maxY == 700)
        var dragged = zoom
        dragged.drag(byX: 100, y: -60)
        #expect(dragged.frame.x == 50 && dragged.frame.maxY == 670)
        #expect(dragged.settled == zoom)
    }

    @Test("MW-32 fingers go beyond the limits somewhat, and the picture bounces back")
    func pinched() {
        var zoom = zoom(4000, 2800)
        zoom.pinch(to: 12, atX: 500, y: 350)
        #expect(zoom.scale > 3 && zoom.scale < 12)
        #expect(zoom.settled.scale == 3)
        zoom.pinch(to: 0.01, atX: 500, y: 350)
        #expect(zoom.scale < zoom.limits.minimum && zoom.settled.scale == zoom.limits.minimum)
    }

    @Test("MW-30 a resized view keeps the initial factor, or the middle of what is seen")
    func resized() {
        let other = PointSize(width: 500, height: 900)
        let fitted = zoom(4000, 2800).resized(to: other, rules: .init())
        #expect(fitted.scale == 0.125 && fitted.frame.y == 275)
        var near = zoom(4000, 2800)
        near.zoom(to: 1, atX: 500, y: 350)
        near.pan(byX: 300, y: 200)
        let resized = near.resized(to: other, rules: .init())
        #expect(resized.scale == 1)
        #expect(500 - near.frame.x == 250 - resized.frame.x && 350 - near.frame.y == 450 - resized.frame.y)
    }

    @Test("a long picture stays where it is read when the view is resized, and at its top when that is shown")
    func resizedLongPicture() {
        var long = zoom(500, 20_000)
        let other = PointSize(width: 500, height: 900)
        #expect(long.resized(to: other, rules: .init()).frame == PointRect(x: 0, y: 0, width: 500, height: 20_000))
        long.pan(byX: 0, y: -10_000)
        let resized = long.resized(to: other, rules: .init())
        #expect(resized.scale == 1 && abs((450 - resized.frame.y) - (350 + 10_000) / 2) < 1)
    }

    @Test("at a random schedule of zooms, pans and resizes there is never a gap at an edge", arguments: 0..<20)
    func schedule(seed: UInt64) {
        var random = SplitMix(state: seed)
        var zoom = PhotoZoom(
            of: PointSize(width: .random(in: 1...9000, using: &random), height: .random(in: 1...9000, using: &random)),
            in: view)
        for _ in 0..<500 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                zoom.zoom(
                    to: .random(in: 0...6, using: &random), atX: .random(in: 0...1000, using: &random),
                    y: .random(in: 0...700, using: &random))
            case 1: zoom.pan(byX: .random(in: -900...900, using: &random), y: .random(in: -900...900, using: &random))
            case 2: zoom = zoom.toggled(atX: .random(in: 0...1000, using: &random), y: 10)
            default:
                zoom = zoom.resized(
                    to: PointSize(
                        width: .random(in: 1...2000, using: &random), height: .random(in: 1...2000, using: &random)),
                    rules: .init())
            }
            expectNoGap(zoom)
        }
    }

    private func expectNoGap(_ zoom: PhotoZoom) {
        let frame = zoom.frame
        for (start, length, room) in [
            (frame.x, frame.size.width, zoom.view.width), (frame.y, frame.size.height, zoom.view.height),
        ] {
            if length <= room {
                #expect(abs(start - (room - length) / 2) < 0.001)
            } else {
                #expect(start <= 0.001 && start + length >= room - 0.001)
            }
        }
        #expect(zoom.scale >= zoom.limits.minimum && zoom.scale <= zoom.limits.maximum)
    }
}
