import Testing

@testable import WebImage

@Suite("Decode box") struct DecodeBoxTests {
    private func box(_ width: Double, _ height: Double, scale: Double = 1, fit: ContentFit = .contain) -> DecodeBox? {
        DecodeBox(viewSize: PointSize(width: width, height: height), scaleFactor: scale, fit: fit)
    }

    @Test("a picture is decoded to what its view shows, in the screen's pixels")
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

    @Test("a picture that covers its view has room for other proportions", arguments: [ContentFit.cover, .fill])
    func cover(fit: ContentFit) throws {
        let size = try #require(box(192, 144, fit: fit)).size
        #expect(size == PixelSize(width: 240, height: 240))
    }

    @Test(
        "a picture that covers its view is enlarged little, and never reduced by more than a quarter",
        arguments: [(90.0, 67.0), (181, 136), (206, 155), (400, 300)], [2.0, 1.5, 1.333, 1, 0.75, 0.667])
    func coverage(view: (width: Double, height: Double), proportion: Double) throws {
        for scale in [1.0, 2, 3] {
            let side = Double(try #require(box(view.width, view.height, scale: scale, fit: .cover)).size.width)
            let picture = (width: side * min(1, proportion), height: side / max(1, proportion))
            let factor = max(view.width * scale / picture.width, view.height * scale / picture.height)
            #expect(factor >= 0.75)
            #expect(factor < 1.25)
        }
    }

    @Test("a view without a size has no box", arguments: [(0.0, 0.0), (0, 100), (100, 0), (-1, 100)])
    func empty(size: (Double, Double)) {
        #expect(box(size.0, size.1) == nil)
    }

    @Test("a view of any size has one that a picture can have", arguments: [1e9, 1e300, .infinity])
    func huge(side: Double) {
        #expect(box(side, side, scale: 4)?.size.width ?? 0 <= 1 << 20)
    }

    @Test("a view that shrinks wants nothing new, one that grows does")
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

    @Test("a picture that touches its box may be a part of what there is, a smaller one is the whole")
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
