import FoundationEssentials
import Testing
import WebImage

@Suite("Transformations of HEIF and AVIF items")
struct ItemGeometryTests {
    private static let size = PixelSize(width: 40, height: 30)

    @Test(
        "turns and mirrors make the eight orientations",
        arguments: [
            ([], .up), ([.rotation(quarterTurns: 1)], .left), ([.rotation(quarterTurns: 2)], .down),
            ([.rotation(quarterTurns: 3)], .right), ([.mirror(.leftToRight)], .upMirrored),
            ([.mirror(.topToBottom)], .downMirrored),
            ([.rotation(quarterTurns: 1), .mirror(.leftToRight)], .rightMirrored),
            ([.rotation(quarterTurns: 3), .mirror(.leftToRight)], .leftMirrored),
            ([.mirror(.leftToRight), .rotation(quarterTurns: 1)], .leftMirrored),
        ] as [([ItemTransformation], ImageOrientation)])
    func orientations(transformations: [ItemTransformation], orientation: ImageOrientation) {
        let geometry = ItemGeometry(storedSize: Self.size, transformations: transformations)
        #expect(geometry.orientation == orientation)
        #expect(geometry.isWhole)
    }

    @Test("a crop is a part of the stored pixels, also after a turn")
    func crops() {
        let crop = ItemTransformation.crop(Self.aperture(width: 10, height: 20, right: -5, down: 2))
        let first = ItemGeometry(storedSize: Self.size, transformations: [crop, .rotation(quarterTurns: 1)])
        #expect(first.area == PixelArea(columns: 10..<20, rows: 7..<27))
        // Seen turned by a quarter, the picture is 30 × 40; its columns are the stored rows, its rows run from the right.
        let last = ItemGeometry(storedSize: Self.size, transformations: [.rotation(quarterTurns: 1), crop])
        #expect(last.area == PixelArea(columns: 8..<28, rows: 5..<15))
        let mirrored = ItemGeometry(storedSize: Self.size, transformations: [.mirror(.leftToRight), crop])
        #expect(mirrored.area == PixelArea(columns: 20..<30, rows: 7..<27))
    }

    @Test("a crop that does not lie inside of the picture is left out")
    func impossibleCrops() {
        for aperture in [
            Self.aperture(width: 41, height: 30, right: 0, down: 0),
            Self.aperture(width: 40, height: 30, right: 1, down: 0),
            Self.aperture(width: 0, height: 10, right: 0, down: 0),
            CleanAperture(
                width: .init(numerator: 10, denominator: 0), height: .init(numerator: 10, denominator: 1),
                horizontalOffset: .init(numerator: 0, denominator: 1),
                verticalOffset: .init(numerator: 0, denominator: 0)),
        ] {
            #expect(ItemGeometry(storedSize: Self.size, transformations: [.crop(aperture)]).isWhole)
        }
    }

    @Test("a box that says it is longer than any file, or shorter than its head, is damage", arguments: [0x80, 0x00])
    func impossibleBoxes(highest: UInt8) {
        let file = Data([0, 0, 0, 1] + Array("mdat".utf8) + [highest, 0, 0, 0, 0, 0, 0, 5])
        let error = #expect(throws: WebImageError.self) {
            try ItemPropertyReader(file, format: .heif).transformationsOfPrimaryItem()
        }
        #expect(error?.code == .badImageData && error?.reason.contains("HEIF") == true)
    }

    private static func aperture(width: Int, height: Int, right: Int, down: Int) -> CleanAperture {
        CleanAperture(
            width: .init(numerator: width, denominator: 1), height: .init(numerator: height, denominator: 1),
            horizontalOffset: .init(numerator: right, denominator: 1),
            verticalOffset: .init(numerator: down, denominator: 1))
    }
}
