import Foundation
import Synchronization
import Testing
import WebImageCoders
import WebImageCore
import WebImageDecoder
import WebImageIsolation
import WebImageTestSupport

/// Parts of large files, and rows, come out of workers as they come out of the coders.
@Suite("Regions by workers", .timeLimit(.minutes(10)))
struct IsolatedRegionTests {
    private static let kinds = DecoderKind.allCases.filter(\.hasRegions)

    private final class Rows: PixelRowReceiver {
        private let rows = Mutex<[[UInt8]]>([])
        var all: [[UInt8]] { rows.withLock { $0 } }
        func receive(_ row: UnsafeRawBufferPointer) { rows.withLock { $0.append(Array(row)) } }
    }

    /// A file that is larger than a slice of rows, and has regions.
    private static func file(of kind: DecoderKind) throws -> Data {
        let size = PixelSize(width: 700, height: 900)
        var pixels = [UInt8](repeating: 255, count: size.area * 4)
        for place in pixels.indices where place & 3 != 3 {
            pixels[place] = UInt8(truncatingIfNeeded: place / 3 ^ place >> 9)
        }
        let image = Image(bitmap: try Bitmap(size: size, pixels: pixels))
        let format: ImageFormat = kind == .tiff ? .tiff : kind == .png ? .png : .jpeg
        return try #require(kind.coder).encode(image, to: format, options: ImageEncodeOptions())
    }

    private func open(
        _ file: RandomAccessFile, _ kind: DecoderKind, _ workers: WorkerThreads
    ) throws -> (found: any RegionImageFile, expected: any RegionImageFile) {
        let coder = try #require(kind.coder)
        let isolated = IsolatedCoder(kind: kind, source: workers)
        let found = try isolated.openRegions(of: file, limits: ImageLimits(), in: .sRGB)
        let expected = try coder.openRegions(of: file, limits: ImageLimits(), in: .sRGB)
        return (try #require(found), try #require(expected))
    }

    private static func bitmaps(
        of file: any RegionImageFile, _ regions: [PixelRegion], reduction: Int = 1
    ) throws -> [Int: [UInt8]] {
        let found = Mutex<[Int: [UInt8]]>([:])
        try file.decode(regions, reduction: reduction, cancellation: CancellationFlag()) { index, bitmap in
            found.withLock { $0[index] = bitmap.bytes }
        }
        return found.withLock { $0 }
    }

    @Test("descriptions, rows and regions are equal to the bit", arguments: kinds)
    func regions(kind: DecoderKind) throws {
        let workers = WorkerThreads()
        let (found, expected) = try open(RandomAccessFile(try Self.file(of: kind)), kind, workers)
        #expect(found.format == expected.format && found.storedSize == expected.storedSize)
        #expect(found.orientation == expected.orientation && found.rowReduction == expected.rowReduction)
        #expect(found.baseSide == expected.baseSide && found.decodesWholeRows == expected.decodesWholeRows)
        let (one, other) = (Rows(), Rows())
        try found.readRows(reducedBy: 1, into: one, cancellation: CancellationFlag())
        try expected.readRows(reducedBy: 1, into: other, cancellation: CancellationFlag())
        #expect(one.all == other.all && one.all.count == 900)
        let hasRegions = kind != .png
        for file in [found, expected] {
            #expect(try file.prepareRegions(kept: nil, cancellation: CancellationFlag()) {} == hasRegions)
        }
        #expect(found.keptIndex == expected.keptIndex)
        guard hasRegions else { return #expect(workers.runningCount == 0) }
        // Wide ones, whose pixels are in a buffer, and small ones, whose pixels are in the message.
        let regions = [0..<256, 256..<512, 512..<700, 0..<8].map { PixelRegion(columns: $0, rows: 256..<512) }
        #expect(found.isReady(regions[0], reduction: 1))
        let pixels = try Self.bitmaps(of: found, regions)
        #expect(pixels == (try Self.bitmaps(of: expected, regions)) && pixels.count == regions.count)
        #expect(workers.runningCount == 0)
    }

    @Test("what was kept of an earlier visit is used")
    func keptIndex() throws {
        let (found, expected) = try open(RandomAccessFile(try Self.file(of: .jpeg)), .jpeg, WorkerThreads())
        #expect(!found.isReady(PixelRegion(columns: 0..<8, rows: 0..<8), reduction: 1))
        _ = try expected.prepareRegions(kept: nil, cancellation: CancellationFlag()) {}
        let kept = expected.keptIndex
        #expect(try found.prepareRegions(kept: kept, cancellation: CancellationFlag()) {})
        #expect(found.keptIndex == kept)
    }

    @Test("a file of the system is handed on as it is, and found to have changed")
    func systemFile() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "regions-\(UInt64.random(in: 0 ... .max))")
        defer { try? FileManager.default.removeItem(at: path) }
        try Self.file(of: .tiff).write(to: path)
        let file = try RandomAccessFile(path: Array(path.path().utf8) + [0])
        let (found, expected) = try open(file, .tiff, WorkerThreads())
        let region = [PixelRegion(columns: 0..<99, rows: 0..<99)]
        #expect(try Self.bitmaps(of: found, region) == (try Self.bitmaps(of: expected, region)))
        let size = PixelSize(width: 8, height: 8)
        let other = Image(bitmap: try Bitmap(size: size, pixels: [UInt8](repeating: 9, count: size.area * 4)))
        let handle = try FileHandle(forWritingTo: path)
        try handle.write(contentsOf: try #require(DecoderKind.tiff.coder).encode(other, to: .tiff, options: .init()))
        let error = #expect(throws: WebImageError.self) { try Self.bitmaps(of: found, region) }
        #expect(error?.code == .badImageData)
    }

    @Test("a damaged file gives the same error", arguments: kinds)
    func damage(kind: DecoderKind) throws {
        let data = try Self.file(of: kind).prefix(300)
        let coder = try #require(kind.coder)
        let isolated = IsolatedCoder(kind: kind, source: WorkerThreads())
        func outcome(_ coder: any ImageCoder) -> String {
            do {
                guard
                    let file = try coder.openRegions(of: RandomAccessFile(data), limits: ImageLimits(), in: .sRGB)
                else { return "none" }
                try file.readRows(reducedBy: 1, into: Rows(), cancellation: CancellationFlag())
                return "rows"
            } catch { return "\(error)" }
        }
        #expect(outcome(isolated) == outcome(coder))
    }

    @Test("the rows of a whole picture come while it is decoded, and are those of its coder")
    func wholeRows() throws {
        for kind in [DecoderKind.tiff, .png, .webP] {
            let coder = try #require(kind.coder)
            let image = try DecoderKind.tiff.coder?.decode(try Self.file(of: .tiff), options: ImageDecodeOptions())
            let format: ImageFormat = kind == .webP ? .webP : kind == .png ? .png : .tiff
            let data = try coder.encode(try #require(image), to: format, options: ImageEncodeOptions())
            let (one, other) = (Rows(), Rows())
            var options = ImageDecodeOptions()
            options.rowReceiver = one
            let found = try IsolatedCoder(kind: kind, source: WorkerThreads()).decode(data, options: options)
            options.rowReceiver = other
            let expected = try coder.decode(data, options: options)
            #expect(found.bitmap.size == expected.bitmap.size && one.all == other.all, "\(kind)")
        }
    }
}
