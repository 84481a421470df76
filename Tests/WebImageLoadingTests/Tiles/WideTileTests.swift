import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageCoders
@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("Tiles of wide gamut")
struct WideTileTests {
    enum Kind: CaseIterable {
        case jpeg, png, whole
    }

    /// A file in Display P3 whose colours go through all of it.
    private static let png: Data = {
        let size = PixelSize(width: 100, height: 70)
        var rows: [UInt8] = []
        for row in 0..<size.height {
            rows.append(0)
            for column in 0..<size.width { rows += [UInt8(column), UInt8(255 - row), UInt8((row + column) & 255)] }
        }
        var builder = PNGBuilder()
        builder.appendHeader(width: size.width, height: size.height, colorType: 2)
        builder.append(WidePicture.codePoints.0, WidePicture.codePoints.1)
        builder.appendPixels(rows)
        builder.appendEnd()
        return builder.data
    }()

    private static func open(_ kind: Kind, in colorSpace: ColorSpace) throws -> (any RegionImageFile, Data) {
        let (limits, png) = (ImageLimits(), png)
        switch kind {
        case .jpeg:
            let data = try Fixtures.data("display-p3.jpg")
            return (try JPEGRegionFile(RandomAccessFile(data), limits: limits, in: colorSpace, baseSide: 16), data)
        case .png:
            let file = try PNGRegionFile(
                RandomAccessFile(png), limits: limits, in: colorSpace, rowPixelCount: 300, baseSide: 16)
            return (try #require(file), png)
        case .whole:
            let file = try WholeImageFile(
                RandomAccessFile(png), coder: PNGCoder(), format: .png, limits: limits, in: colorSpace, baseSide: 16)
            return (file, png)
        }
    }

    @Test("tiles keep the colours of a wide picture, whether read by regions or as a whole", arguments: Kind.allCases)
    func colours(_ kind: Kind) throws {
        let (file, data) = try Self.open(kind, in: .displayP3)
        let (coder, scaling): (any ImageCoder, Int) = kind == .jpeg ? (JPEGCoder(), 8) : (PNGCoder(), 1)
        let check = try TileCheck(file, tileSide: 32)
        #expect(check.base.colorSpace == .displayP3)
        #expect(check.source.grid.levelCount > 0)
        try check.expectEqual { try coder.whole(data, reduction: $0, ownScaling: scaling, isWide: true) }
        let narrow = try TileCheck(Self.open(kind, in: .sRGB).0, tileSide: 32)
        #expect(narrow.base.colorSpace == .sRGB)
        #expect(try narrow.assemble(level: 0).bytes != check.assemble(level: 0).bytes)
    }
}
