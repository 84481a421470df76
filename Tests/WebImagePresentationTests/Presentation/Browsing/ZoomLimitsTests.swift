import Testing
import WebImageCore
import WebImagePresentation

@Suite("How far a picture can be zoomed")
struct ZoomLimitsTests {
    private let view = PointSize(width: 1000, height: 700)

    private func limits(_ width: Double, _ height: Double, _ rules: ZoomLimits.Rules = .init()) -> ZoomLimits {
        ZoomLimits(of: PointSize(width: width, height: height), in: view, rules: rules)
    }

    @Test("MW-31 the smallest factor shows all of the picture, and never enlarges a small one")
    func minimum() {
        #expect(limits(4000, 2000).minimum == 0.25)
        #expect(limits(400, 2100).minimum == 700.0 / 2100)
        #expect(limits(300, 200).minimum == 1)
    }

    @Test("MW-31 the largest factor is 3, and 4 in a large view")
    func maximum() {
        #expect(limits(4000, 2000).maximum == 3)
        let large = PointSize(width: 1600, height: 800)
        #expect(ZoomLimits(of: PointSize(width: 4000, height: 2000), in: large).maximum == 4)
    }

    @Test(
        "MW-2 MW-31 a picture of nearly the view's proportions covers it at first; others fit, and so do all without the setting"
    )
    func filling() {
        // 1.4286 is the view's proportion.
        let near = limits(3000, 2000)
        #expect(near.initial == max(1000.0 / 3000, 700.0 / 2000) && near.minimum == 1000.0 / 3000)
        let far = limits(4000, 2000)
        #expect(far.initial == far.minimum)
        var rules = ZoomLimits.Rules()
        rules.zoomsPhotosToFill = false
        let plain = limits(3000, 2000, rules)
        #expect(plain.initial == plain.minimum)
    }

    @Test("MW-31 while nothing is loaded, and for a view or a picture without area, nothing can be zoomed")
    func nothing() {
        for (picture, view) in [
            (PointSize(width: 0, height: 0), view), (PointSize(width: 10, height: 0), view),
            (PointSize(width: 10, height: 10), PointSize(width: 0, height: 0)),
            (PointSize(width: .nan, height: 10), view),
        ] {
            #expect(ZoomLimits(of: picture, in: view) == ZoomLimits())
        }
        #expect(ZoomLimits().maximum == 0 && ZoomLimits().minimum == 0)
    }

    @Test("MW-31 a video has one size")
    func video() {
        let limits = ZoomLimits(of: PointSize(width: 2000, height: 1400), in: view, isFixed: true)
        #expect(limits.minimum == limits.maximum && limits.initial == limits.minimum)
    }

    @Test("S2-6 a vertical long picture fills the width of the view, however narrow it is")
    func vertical() {
        #expect(limits(1000, 40_000).initial == 1)
        let narrow = limits(100, 5000)
        #expect(narrow.initial == 10 && narrow.maximum == 10 && narrow.minimum == 0.14)
        #expect(limits(40_000, 1000).initial == limits(40_000, 1000).minimum)
    }

    @Test("S2-19 a picture is long from a ratio that can be set")
    func ratio() {
        #expect(LongPicture(PointSize(width: 100, height: 301)) == .vertical)
        #expect(LongPicture(PointSize(width: 301, height: 100)) == .horizontal)
        #expect(LongPicture(PointSize(width: 300, height: 100)) == nil)
        #expect(LongPicture(PointSize(width: 250, height: 100), ratio: 2) == .horizontal)
        #expect(LongPicture(PointSize(width: 0, height: 100)) == nil)
    }
}
