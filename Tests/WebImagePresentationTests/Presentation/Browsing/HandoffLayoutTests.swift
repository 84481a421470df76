import Testing
import WebImageCore

@testable import WebImagePresentation

@Suite("Where a thumbnail stands, and how it gives way")
struct HandoffLayoutTests {
    private let view = PointSize(width: 1000, height: 700)

    private func layout(thumbnail: (Double, Double), original: (Double, Double)?) -> HandoffLayout {
        HandoffLayout(
            thumbnail: PointSize(width: thumbnail.0, height: thumbnail.1),
            original: original.map { PointSize(width: $0.0, height: $0.1) }, view: view)
    }

    @Test("S2-4 a thumbnail of the original's proportions stands where that will be, so that nothing jumps")
    func sameProportions() {
        let layout = layout(thumbnail: (160, 90), original: (3200, 1800))
        #expect(layout.swap == .silent)
        #expect(layout.frame == PhotoZoom(of: PointSize(width: 3200, height: 1800), in: view).frame)
    }

    @Test(
        "S2-1 where a thumbnail and its original differ in place or size, their swap is animated, whatever is known before"
    )
    func nothingJumps() {
        let sizes = [(160.0, 90.0), (200, 200), (90, 160), (1000, 40), (40, 1000), (4000, 3000)]
        let originals = sizes.map { ($0.0 * 10, $0.1 * 10) } + [(300, 30_000), (30_000, 300)]
        var silent = 0
        for thumbnail in sizes {
            for original in originals {
                let goal = PhotoZoom(of: PointSize(width: original.0, height: original.1), in: view).frame
                let known = layout(thumbnail: thumbnail, original: original)
                let late = layout(thumbnail: thumbnail, original: nil).known(
                    original: PointSize(width: original.0, height: original.1),
                    thumbnail: PointSize(width: thumbnail.0, height: thumbnail.1), view: view, rules: .init())
                for layout in [known, late] where layout.swap == .silent {
                    silent += 1
                    // Of a vertical long picture, the thumbnail is the top, in whatever height.
                    let isTop = original.1 > 3 * original.0
                    let places = [(layout.frame.x, goal.x), (layout.frame.y, goal.y), (layout.frame.maxX, goal.maxX)]
                    let all = isTop ? places : places + [(layout.frame.maxY, goal.maxY)]
                    #expect(all.allSatisfy { abs($0 - $1) <= 2 }, "\(thumbnail), \(original): \(layout.frame), \(goal)")
                }
            }
        }
        #expect(silent > 10 && silent < 2 * sizes.count * originals.count)
    }

    @Test("S2-5 S2-6 the top of a vertical long picture stands at the top, as wide as the view, and gives way unseen")
    func vertical() {
        let layout = layout(thumbnail: (300, 400), original: (900, 30_000))
        #expect(layout.swap == .silent)
        #expect(layout.frame.x == 0 && layout.frame.y == 0 && layout.frame.size.width == 1000)
        #expect(abs(layout.frame.size.height - 1000 * 4 / 3) < 0.001)
    }

    @Test("S2-7 S2-18 the thumbnail of a horizontal long picture is squeezed to the height of that on the screen")
    func horizontal() {
        let layout = layout(thumbnail: (300, 210), original: (10_000, 500))
        #expect(layout.swap == .squeeze && layout.frame.size.height == 700)
        let original = PhotoZoom(of: PointSize(width: 10_000, height: 500), in: view).frame
        #expect(original.size.height == 50 && layout.squeeze(to: original) == 50.0 / 700)
    }

    @Test("S2-18 a thumbnail at the height of the file is squeezed by the page's zoom factor, as in the article")
    func nativeHeight() {
        let original = PhotoZoom(of: PointSize(width: 10_000, height: 700), in: view)
        let layout = layout(thumbnail: (1000, 700), original: (10_000, 700))
        #expect(layout.frame.size.height == 700)
        #expect(abs(layout.squeeze(to: original.frame) - original.scale) < 1e-12)
    }

    @Test("S2-19 a thumbnail of other proportions than an ordinary original gives way by a cross-fade")
    func cropped() {
        let layout = layout(thumbnail: (200, 200), original: (1600, 900))
        #expect(layout.swap == .crossFade && layout.frame.size.height == 700)
    }

    @Test("a thumbnail of an unknown original fits the view, and does not jump when that is known")
    func unknown() {
        let unknown = layout(thumbnail: (200, 200), original: nil)
        #expect(unknown.frame == PointRect(x: 150, y: 0, width: 700, height: 700))
        let thumbnail = PointSize(width: 200, height: 200)
        func known(_ width: Double, _ height: Double) -> HandoffLayout {
            unknown.known(
                original: PointSize(width: width, height: height), thumbnail: thumbnail, view: view,
                rules: .init())
        }
        #expect(known(2000, 2000).swap == .silent)
        #expect(known(900, 30_000) == HandoffLayout.fixture(frame: unknown.frame, swap: .crossFade))
        #expect(known(30_000, 900).swap == .squeeze && known(30_000, 900).frame == unknown.frame)
    }

    @Test("a flight is between the place of the thumbnail and that of the page, with its clip and its corners")
    func flight() {
        let start = PictureFlight.Place(
            frame: PointRect(x: 0, y: 0, width: 100, height: 50), clip: PointRect(x: 25, y: 0, width: 50, height: 50),
            cornerRadius: 8)
        let end = PictureFlight.Place(
            frame: PointRect(x: 0, y: 100, width: 1000, height: 500),
            clip: PointRect(x: 0, y: 100, width: 1000, height: 500))
        #expect(start.mixed(with: end, 0) == start && start.mixed(with: end, 1) == end)
        let middle = start.mixed(with: end, 0.5)
        #expect(middle.clip == PointRect(x: 12.5, y: 50, width: 525, height: 275) && middle.cornerRadius == 4)
    }

    @Test(
        "MW-8 a swipe up or down closes the browser where it is long or quick enough, and not when the finger returns")
    func dismissal() {
        var drag = DismissDrag(height: 700)
        drag.y = 50
        #expect(!drag.closes(velocity: 0) && drag.closes(velocity: 800) && !drag.closes(velocity: -800))
        drag.y = -200
        #expect(drag.closes(velocity: 0) && drag.closes(velocity: -300) && !drag.closes(velocity: 300))
        #expect(drag.groundOpacity < 1 && drag.scale < 1)
        drag.y = 7000
        #expect(drag.groundOpacity == 0 && abs(drag.scale - 0.6) < 1e-12)
    }
}

extension HandoffLayout {
    fileprivate static func fixture(frame: PointRect, swap: Swap) -> HandoffLayout {
        HandoffLayout(frame: frame, swap: swap)
    }
}
