import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore

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
        // Rotated by a quarter turn, the picture is 30 × 40; its columns are the stored rows, its rows run from the
        // right.
        let last = ItemGeometry(storedSize: Self.size, transformations: [.rotation(quarterTurns: 1), crop])
        #expect(last.area == PixelArea(columns: 8..<28, rows: 5..<15))
        let mirrored = ItemGeometry(storedSize: Self.size, transformations: [.mirror(.leftToRight), crop])
        #expect(mirrored.area == PixelArea(columns: 20..<30, rows: 7..<27))
    }

    @Test("a crop that does not lie inside of the picture is ignored")
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

    @Test("a box that is longer than any file, or shorter than its header, is damage", arguments: [0x80, 0x00])
    func impossibleBoxes(highest: UInt8) {
        let file = Data([0, 0, 0, 1] + Array("mdat".utf8) + [highest, 0, 0, 0, 0, 0, 0, 5])
        let error = #expect(throws: WebImageError.self) {
            try ItemPropertyReader(file, format: .heif).transformationsOfPrimaryItem()
        }
        #expect(error?.code == .badImageData && error?.reason.contains("HEIF") == true)
    }

    @Test(
        "a picture's channels state whether it has colours, and without them its stream does",
        arguments: [
            ([("pixi", [0, 0, 0, 0, 1, 8])], true), ([("pixi", [0, 0, 0, 0, 3, 8, 8, 8])], false),
            ([("hvcC", [UInt8](repeating: 1, count: 16) + [0xFC])], true),
            ([("hvcC", [UInt8](repeating: 0, count: 16) + [0xFD])], false),
            ([("hvcC", [UInt8](repeating: 0, count: 16) + [0xFC]), ("pixi", [0, 0, 0, 0, 3, 8, 8, 8])], false),
            ([("irot", [1])], nil), ([], nil),
        ] as [([(String, [UInt8])], Bool?)])
    func gray(properties: [(String, [UInt8])], expected: Bool?) throws {
        let file = Self.file(properties)
        #expect(try ItemPropertyReader(file, format: .heif).isPrimaryItemGray() == expected)
        #expect(throws: WebImageError.self) {
            try ItemPropertyReader(file.dropLast(1), format: .heif).isPrimaryItemGray()
        }
    }

    @Test(
        "the last colour numbers of a picture count, known or not",
        arguments: [
            ([], nil), ([("colr", Array("prof".utf8) + [1, 2, 3])], nil),
            ([("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 128])], [9, 16]),
            ([("colr", Array("nclx".utf8) + [0, 1, 32, 13, 0, 6, 128])], [1, 0x200D]),
            (
                [
                    ("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 128]), ("colr", Array("rICC".utf8)),
                    ("colr", Array("nclx".utf8) + [0, 12, 0, 13, 0, 6, 128]),
                ], [12, 13]
            ),
        ] as [([(String, [UInt8])], [Int]?)])
    func colors(properties: [(String, [UInt8])], expected: [Int]?) throws {
        let colors = try ItemPropertyReader(Self.file(properties), format: .heif).colorsOfPrimaryItem()
        #expect(colors.map { [$0.primaries, $0.transfer] } == expected)
    }

    /// A file with only the properties of its single item.
    private static func file(_ properties: [(String, [UInt8])]) -> Data {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(content.count + 8).bigEndian) { Array($0) } + Array(type.utf8) + content
        }
        let associations = [0, 1, UInt8(properties.count)] + (0..<properties.count).map { UInt8($0 + 1) }
        let list = box("ipco", properties.flatMap { box($0.0, $0.1) })
        let meta =
            [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1])
            + box("iprp", list + box("ipma", [0, 0, 0, 0, 0, 0, 0, 1] + associations))
        return Data(box("meta", meta))
    }

    private static func aperture(width: Int, height: Int, right: Int, down: Int) -> CleanAperture {
        CleanAperture(
            width: .init(numerator: width, denominator: 1), height: .init(numerator: height, denominator: 1),
            horizontalOffset: .init(numerator: right, denominator: 1),
            verticalOffset: .init(numerator: down, denominator: 1))
    }
}
