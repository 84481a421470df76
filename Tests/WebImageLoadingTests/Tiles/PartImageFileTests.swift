import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("Files of an app's own, any part of which is decoded by one method")
struct PartImageFileTests {
    /// Rows in memory.
    private struct StoredRows: PartImageFile {
        let bitmap: Bitmap
        let orientation: ImageOrientation
        let format = ImageFormat(rawValue: 1000)
        let colorSpace = ColorSpace.sRGB
        let rowReduction = 4
        let baseSide = 32

        var storedSize: PixelSize { bitmap.size }

        func decode(_ part: PixelRegion, options: ImageDecodeOptions) throws(WebImageError) -> Image {
            var picture = PictureRows(size: part.size, format: format)
            picture.orientation = orientation
            let bytes = bitmap.bytes
            return try options.image(of: picture) { y, row throws(WebImageError) in
                let start = (part.rows.lowerBound + y) * bitmap.bytesPerRow + part.columns.lowerBound * 4
                for place in 0..<row.count { row[place] = bytes[start + place] }
            }
        }
    }

    @Test("the base and all tiles are those of the whole picture", arguments: ImageOrientation.allCases)
    func tiles(orientation: ImageOrientation) throws {
        let picture = try TestPicture.smooth(PixelSize(width: 320, height: 224))
        let check = try TileCheck(StoredRows(bitmap: picture, orientation: orientation), tileSide: 32)
        #expect(check.source.grid.levelCount == 4)
        try check.expectEqual(
            { reduction in
                var reduced = picture
                for _ in 0..<reduction.trailingZeroBitCount { reduced = try reduced.halved() }
                return reduced
            }, least: 40)
    }
}
