import Testing
import WebImageCore
import WebImagePresentation

@Suite struct ContentFitTests {
    private let wide = PointSize(width: 400, height: 100)
    private let square = PointSize(width: 200, height: 200)

    @Test("fill stretches")
    func fill() {
        #expect(ContentFit.fill.frame(of: wide, in: square) == PointRect(x: 0, y: 0, size: square))
    }

    @Test("contain leaves room above and below a wide picture")
    func contain() {
        let frame = ContentFit.contain.frame(of: wide, in: square)
        #expect(frame == PointRect(x: 0, y: 75, size: PointSize(width: 200, height: 50)))
    }

    @Test("cover lets a wide picture hang over on both sides")
    func cover() {
        let frame = ContentFit.cover.frame(of: wide, in: square)
        #expect(frame == PointRect(x: -300, y: 0, size: PointSize(width: 800, height: 200)))
    }

    @Test("scaleDown shrinks like contain and never enlarges")
    func scaleDown() {
        #expect(ContentFit.scaleDown.frame(of: wide, in: square) == ContentFit.contain.frame(of: wide, in: square))
        let small = ContentFit.scaleDown.frame(of: PointSize(width: 20, height: 10), in: square)
        #expect(small == PointRect(x: 90, y: 95, size: PointSize(width: 20, height: 10)))
    }

    @Test("a picture without a size fills the view", arguments: [ContentFit.contain, .cover, .scaleDown, .fill])
    func noSize(fit: ContentFit) {
        let frame = fit.frame(of: PointSize(width: 0, height: 0), in: square)
        #expect(frame == PointRect(x: 0, y: 0, size: square))
    }

    @Test("containment forgives half a unit of rounding")
    func containment() {
        let outer = PointRect(x: 0, y: 0, size: square)
        #expect(outer.contains(PointRect(x: -0.4, y: 0, size: square)))
        #expect(!outer.contains(PointRect(x: -1, y: 0, size: square)))
        #expect(!outer.contains(PointRect(x: 0, y: 0, size: PointSize(width: 201, height: 10))))
    }
}
