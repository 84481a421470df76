import Testing
import WebImageCore
import WebImagePixels
import WebImageTesting

@Suite("Thumbnail geometry")
struct ThumbnailGeometryTests {
    private static func output(
        of source: (Int, Int), box: (Int, Int)?, keepsRatio: Bool = true, orientation: ImageOrientation = .up,
        appliesOrientation: Bool = true
    ) -> ThumbnailGeometry {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = box.map { PixelSize(width: $0.0, height: $0.1) }
        options.preservesAspectRatio = keepsRatio
        options.appliesOrientation = appliesOrientation
        return ThumbnailGeometry(
            storedSourceSize: PixelSize(width: source.0, height: source.1), orientation: orientation, options: options)
    }

    @Test(
        "THB-1 a picture that fits the box, or a box without a side, gives full size",
        arguments: [(0, 100), (100, 0), (0, 0), (-1, 50), (200, 100), (200, 101), (4000, 4000)], [true, false])
    func fullSize(box: (Int, Int), keepsRatio: Bool) {
        let geometry = Self.output(of: (200, 100), box: box, keepsRatio: keepsRatio)
        #expect(geometry.outputSize == PixelSize(width: 200, height: 100))
        #expect(!geometry.isThumbnail)
    }

    @Test(
        "THB-1 a picture without a side keeps its size", arguments: [(0, 0), (0, 100), (200, 0)], [true, false])
    func noSize(source: (Int, Int), keepsRatio: Bool) {
        let geometry = Self.output(of: source, box: (50, 50), keepsRatio: keepsRatio)
        #expect(geometry.outputSize == PixelSize(width: source.0, height: source.1))
        #expect(!geometry.isThumbnail)
    }

    @Test("THB-1 no box gives full size")
    func noBox() {
        #expect(Self.output(of: (200, 100), box: nil).outputSize == PixelSize(width: 200, height: 100))
    }

    @Test(
        "HLP-7 THB-2 THB-6 C14 the largest size that fits the box, rounded to nearest",
        arguments: [
            ((5250, 3450), (400, 300), (400, 263)), ((5250, 3450), (4000, 4000), (4000, 2629)),
            ((4000, 3000), (300, 300), (300, 225)), ((3000, 4000), (300, 300), (225, 300)),
            ((10000, 1), (100, 100), (100, 1)), ((1, 10000), (100, 100), (1, 100)),
            ((101, 100), (100, 100), (100, 99)), ((100, 300), (400, 100), (33, 100)), ((7, 5), (1, 1), (1, 1)),
        ])
    func fits(source: (Int, Int), box: (Int, Int), expected: (Int, Int)) {
        let geometry = Self.output(of: source, box: box)
        #expect(geometry.outputSize == PixelSize(width: expected.0, height: expected.1))
        #expect(geometry.isThumbnail)
        #expect(geometry.metadata(of: .jpeg).isThumbnail)
    }

    @Test(
        "a picture that covers the box has its proportions, and is never enlarged",
        arguments: [
            ((4000, 3000), (300, 300), (400, 300)), ((3000, 4000), (300, 300), (300, 400)),
            ((1600, 900), (160, 160), (284, 160)), ((200, 100), (150, 150), (200, 100)),
            ((100, 100), (300, 200), (100, 100)), ((3200, 100), (100, 50), (1600, 50)),
            ((32000, 100), (100, 100), (1600, 5)), ((10, 6400), (4, 10), (1, 160)),
        ])
    func covers(source: (Int, Int), box: (Int, Int), expected: (Int, Int)) {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: box.0, height: box.1)
        options.coversThumbnailBox = true
        #expect(
            options.outputSize(for: PixelSize(width: source.0, height: source.1))
                == PixelSize(width: expected.0, height: expected.1))
    }

    @Test("THB-2 A63 the result never leaves the box and is never larger than the picture")
    func neverOutside() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let source = (Int.random(in: 1...9000, using: &random), Int.random(in: 1...9000, using: &random))
            let box = (Int.random(in: 1...2000, using: &random), Int.random(in: 1...2000, using: &random))
            let size = Self.output(of: source, box: box, keepsRatio: .random(using: &random)).outputSize
            #expect(size.width >= 1 && size.height >= 1)
            #expect(size.width <= min(source.0, box.0) && size.height <= min(source.1, box.1))
        }
    }

    @Test("DOP-3 THB-3 without the aspect ratio the box is filled exactly, as far as nothing is enlarged")
    func stretched() {
        #expect(Self.output(of: (800, 600), box: (100, 300), keepsRatio: false).outputSize.description == "100×300")
        #expect(Self.output(of: (200, 600), box: (400, 300), keepsRatio: false).outputSize.description == "200×300")
    }

    @Test("THB-3 the box to fill is that of the upright picture", arguments: ImageOrientation.allCases)
    func stretchedUpright(orientation: ImageOrientation) {
        let geometry = Self.output(of: (800, 600), box: (100, 300), keepsRatio: false, orientation: orientation)
        #expect(geometry.outputSize.description == "100×300")
        #expect(geometry.storedOutputSize.description == (orientation.swapsSides ? "300×100" : "100×300"))
    }

    @Test("THB-4 B19 the box limits the upright picture, not the stored one", arguments: ImageOrientation.allCases)
    func oriented(orientation: ImageOrientation) {
        let stored = orientation.swapsSides ? (3000, 4000) : (4000, 3000)
        let geometry = Self.output(of: stored, box: (400, 100), orientation: orientation)
        #expect(geometry.outputSize == PixelSize(width: 133, height: 100))
        #expect(geometry.storedOutputSize == orientation.apply(to: PixelSize(width: 133, height: 100)))
        #expect(geometry.sourceSize == PixelSize(width: 4000, height: 3000))
        #expect(geometry.metadata(of: .png).originalPixelSize == PixelSize(width: 4000, height: 3000))
    }

    @Test("an orientation that is not applied does not turn the box either")
    func orientationLeftAlone() {
        let geometry = Self.output(of: (3000, 4000), box: (400, 100), orientation: .right, appliesOrientation: false)
        #expect(geometry.outputSize == PixelSize(width: 75, height: 100))
        #expect(geometry.orientation == .up)
    }
}
