import Synchronization
import Testing
import WebImagePixels
import WebImageTestSupport

@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("Pictures of the rows of an app's own coder")
struct PictureRowsTests {
    private static let size = PixelSize(width: 60, height: 40)
    private let bitmap: Bitmap

    init() throws { bitmap = try TestPicture.smooth(Self.size) }

    private func image(
        _ options: ImageDecodeOptions, orientation: ImageOrientation = .up,
        animation: (any AnimatedImageProvider)? = nil
    ) throws -> Image {
        var picture = PictureRows(size: Self.size, format: .bmp)
        picture.orientation = orientation
        picture.frameCount = animation?.frameCount ?? 1
        let bytes = bitmap.bytes
        return try options.image(of: picture, animation: animation) { y, row throws(WebImageError) in
            for place in 0..<row.count { row[place] = bytes[y * row.count + place] }
        }
    }

    @Test("a picture in full size has exactly the coder's pixels, and those of a thumbnail are the picture's")
    func sizes() throws {
        var options = ImageDecodeOptions()
        let whole = try image(options)
        #expect(whole.bitmap.bytes == bitmap.bytes && whole.metadata.format == .bmp && !whole.metadata.isThumbnail)
        options.thumbnailPixelSize = PixelSize(width: 15, height: 15)
        let small = try image(options, orientation: .right)
        #expect(small.pixelSize == PixelSize(width: 10, height: 15))
        #expect(small.metadata.isThumbnail && small.metadata.originalPixelSize == PixelSize(width: 40, height: 60))
    }

    @Test("the part that a transformer begins with is decoded, and a receiver gets the rows in place of a picture")
    func parts() throws {
        var options = ImageDecodeOptions()
        options.region = .cropped(columns: 5..<25, rows: 7..<17)
        #expect(try image(options).bitmap.bytes == bitmap.cropped(columns: 5..<25, rows: 7..<17).bytes)
        let rows = ReceivedRows()
        options.region = nil
        options.rowReceiver = rows
        #expect(try image(options).pixelSize == .square(1))
        #expect(rows.bytes == bitmap.bytes)
    }

    @Test("the limits are checked before the first row, and the cancellation before each")
    func limits() throws {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 100
        let picture = PictureRows(size: Self.size, format: .bmp)
        let error = #expect(throws: WebImageError.self) {
            try options.image(of: picture) { _, _ in Issue.record("a row is decoded") }
        }
        #expect(error?.code == .limitExceeded)
        options = ImageDecodeOptions()
        options.cancellation = CancellationFlag()
        let cancelled = #expect(throws: WebImageError.self) {
            try options.image(of: picture) { y, _ in if y == 3 { options.cancellation?.cancel() } }
        }
        #expect(cancelled?.code == .cancelled)
    }

    @Test("an animation belongs to the picture, unless the options want a still one")
    func animation() throws {
        var options = ImageDecodeOptions()
        let frames = FrameListAnimation([ImageFrame(bitmap: bitmap, duration: .zero)], loopCount: 0)
        #expect(try image(options, animation: frames).animation === frames)
        options.decodesFirstFrameOnly = true
        #expect(try image(options, animation: frames).animation == nil)
    }
}

private final class ReceivedRows: PixelRowReceiver {
    private let state = Mutex<[UInt8]>([])

    var bytes: [UInt8] { state.withLock { $0 } }

    func receive(_ row: UnsafeRawBufferPointer) { state.withLock { $0 += row } }
}
