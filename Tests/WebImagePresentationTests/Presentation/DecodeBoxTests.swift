import Testing
import WebImageCore
import WebImagePixels
import WebImagePresentation

@testable import WebImageTestDoubles

@Suite("Decode box") struct DecodeBoxTests {
    private func box(_ width: Double, _ height: Double, scale: Double = 1, fit: ContentFit = .contain) -> DecodeBox? {
        DecodeBox(viewSize: PointSize(width: width, height: height), scaleFactor: scale, fit: fit)
    }

    @Test("a picture is decoded to the visible size, in the screen's pixels")
    func scaleFactor() {
        #expect(box(160, 128)?.size == PixelSize(width: 160, height: 128))
        #expect(box(160, 128, scale: 2)?.size == PixelSize(width: 320, height: 256))
    }

    @Test("the sides are rounded up, to sixteen sizes per doubling")
    func steps() throws {
        #expect(box(161, 129)?.size == PixelSize(width: 168, height: 136))
        let sides = Set((257...512).compactMap { box(Double($0), 100)?.size.width })
        #expect(sides.count == 16)
        for side in stride(from: 1.0, through: 20_000, by: 7.3) {
            let rounded = Double(try #require(box(side, side)).size.width)
            #expect(rounded >= side)
            #expect(rounded <= max(16, side * 17 / 16 + 1))
        }
    }

    @Test(
        "a picture that covers its view is decoded to cover the visible part", arguments: [ContentFit.cover, .fill])
    func cover(fit: ContentFit) throws {
        let covered = try #require(box(192, 144, fit: fit))
        #expect(covered.size == PixelSize(width: 192, height: 144))
        #expect(covered.isCovered)
    }

    private static let views = [(160.0, 160.0), (90, 67), (181, 136), (136, 181), (206, 155), (400, 300), (300, 100)]
    private static let proportions = [3.0, 16.0 / 9, 1.5, 4.0 / 3, 1, 0.75, 9.0 / 16, 1.0 / 3]

    @Test("a picture that covers its view is never enlarged, and hardly reduced", arguments: views, proportions)
    func coverage(view: (width: Double, height: Double), proportion: Double) throws {
        for scale in [1.0, 2, 3] {
            let covered = try #require(box(view.width, view.height, scale: scale, fit: .cover))
            let picture = decoded(PixelSize(width: Int(6000 * proportion), height: 6000), for: covered)
            let factor = max(
                view.width * scale / Double(picture.width), view.height * scale / Double(picture.height))
            #expect(factor >= 15.0 / 17)
            #expect(factor <= 1.01)
            #expect(covered.isReached(by: picture))
            #expect(covered.isSharp(picture))
        }
    }

    @Test("a picture that is smaller than the view that it covers is not enlarged by decoding")
    func smallPicture() throws {
        let covered = try #require(box(160, 160, scale: 2, fit: .cover))
        let size = PixelSize(width: 400, height: 200)
        #expect(decoded(size, for: covered) == size)
        #expect(!covered.isReached(by: size))
    }

    /// The size that coders decode a picture to.
    private func decoded(_ source: PixelSize, for box: DecodeBox) -> PixelSize {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = box.size
        options.coversThumbnailBox = box.isCovered
        return options.outputSize(for: source)
    }

    @Test(
        "a view of which only one side is known takes pictures of that side",
        arguments: [ContentFit.contain, .scaleDown, .cover, .fill],
        [PixelSize(width: 4000, height: 3000), .square(3000)])
    func oneSide(fit: ContentFit, source: PixelSize) throws {
        let wide = try #require(box(320, 0, fit: fit))
        #expect(decoded(source, for: wide).width == 320)
        let high = try #require(box(0, 320, fit: fit))
        #expect(decoded(source, for: high).height == 320)
    }

    @Test("a view that gets its height from its picture finds it sharp")
    func heightFromPicture() throws {
        for fit in [ContentFit.contain, .cover] {
            for width in stride(from: 100.0, through: 400, by: 13) {
                let feed = try #require(box(width, 0, fit: fit))
                let picture = decoded(PixelSize(width: 4000, height: 2250), for: feed)
                let laidOut = try #require(box(width, (width * 2250 / 4000).rounded(), fit: fit))
                #expect(laidOut.isSharp(picture))
            }
        }
    }

    @Test("a picture that was decoded to fit a view does not serve one that it covers, unless it is large enough")
    func fitChanged() throws {
        let (fitted, covering) = (try #require(box(160, 160)), try #require(box(160, 160, fit: .cover)))
        #expect(!fitted.suffices(for: covering))
        #expect(covering.suffices(for: fitted))
        #expect(fitted.union(covering).isCovered)
        #expect(!covering.isSharp(PixelSize(width: 160, height: 90)))
        #expect(covering.isSharp(.square(160)))
    }

    @Test("a view without a size has no box", arguments: [(0.0, 0.0), (-1, -1), (0, -1)])
    func empty(size: (Double, Double)) {
        #expect(box(size.0, size.1) == nil)
    }

    @Test("a view of any size has one that a picture can have", arguments: [1e9, 1e300, .infinity])
    func huge(side: Double) {
        #expect(box(side, side, scale: 4)?.size.width ?? 0 <= 1 << 20)
    }

    @Test("a view that shrinks requests nothing new, one that grows does")
    func growth() throws {
        let decoded = try #require(box(201, 201))
        #expect(decoded.suffices(for: try #require(box(100, 201))))
        #expect(decoded.suffices(for: try #require(box(201, 201))))
        #expect(decoded.suffices(for: try #require(box(204, 204))), "the same step")
        #expect(!decoded.suffices(for: try #require(box(100, 300))))
        #expect(!decoded.suffices(for: try #require(box(200, 200, scale: 2))))
    }

    @Test("a view that grows by turns in each direction settles on one box")
    func union() throws {
        let (wide, high) = (try #require(box(400, 100)), try #require(box(100, 400)))
        let both = wide.union(high)
        #expect(both.suffices(for: wide) && both.suffices(for: high))
    }

    @Test(
        "the height that a view gets from a picture does not make its pictures higher",
        arguments: [ContentFit.cover, .fill])
    func widerFeed(fit: ContentFit) throws {
        let source = PixelSize(width: 4000, height: 3000)
        let (feed, wider) = (try #require(box(320, 0, fit: fit)), try #require(box(400, 300, fit: fit)))
        for both in [feed.union(wider), wider.union(feed)] {
            #expect(both.suffices(for: wider))
            #expect(both == wider)
            #expect(decoded(source, for: both).width <= 400 * 17 / 16)
        }
        let column = try #require(box(0, 300, fit: fit))
        #expect(column.union(wider) == wider)
        #expect(!feed.union(try #require(box(400, 0, fit: fit))).isCovered)
    }

    @Test("a picture that touches its box may be a reduced one, a smaller one is the whole")
    func reach() throws {
        let box = try #require(
            DecodeBox(viewSize: PointSize(width: 100, height: 50), scaleFactor: 1, fit: .contain))
        let (width, height) = (box.size.width, box.size.height)
        #expect(box.isReached(by: PixelSize(width: width, height: 10)))
        #expect(box.isReached(by: PixelSize(width: 10, height: height)))
        #expect(box.isReached(by: PixelSize(width: width - 1, height: 10)), "rounding")
        #expect(!box.isReached(by: PixelSize(width: width - 2, height: height - 2)))
    }
}
