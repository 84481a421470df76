import Synchronization
import WebImageCore
import WebImagePixels

/// A picture in a temporary file, at several sizes: each is a half of the one before. It takes the rows of the largest one
/// as they are decoded, and gives back regions. Memory is needed for a few rows of each size.
///
/// Any thread; rows come from one thread at a time.
package final class RowSpool: PixelRowReceiver, Sendable {
    /// One size of the picture.
    private struct Level {
        let reduction: Int
        let size: PixelSize
        /// The place of its first row in the file.
        let offset: Int
    }

    private let levels: [Level]
    private let orientation: ImageOrientation
    private let colorSpace: ColorSpace
    private let file: TemporaryFile
    private let writer: Mutex<RowSpoolWriter>
    private let readyRows: Mutex<[Int]>

    /// - Parameters:
    ///   - storedSize: Of the whole picture.
    ///   - colorSpace: The colours of its rows.
    ///   - reductions: Powers of two, each twice the one before. Rows come with the first.
    ///   - cancellation: Raised when rows cannot be written.
    package init(
        storedSize: PixelSize, orientation: ImageOrientation, colorSpace: ColorSpace, reductions: [Int],
        cancellation: CancellationFlag
    ) throws(WebImageError) {
        // All sizes together have a third more pixels than the first, so that no place overflows below.
        guard storedSize.area < Int.max / 16 else { throw .outOfMemory(for: storedSize) }
        var levels: [Level] = []
        var offset = 0
        for reduction in reductions {
            let size = storedSize.reduced(by: reduction)
            levels.append(Level(reduction: reduction, size: size, offset: offset))
            offset += size.area * RowSpoolWriter.bytesPerPixel
        }
        do throws(FileSystemError) {
            file = try TemporaryFile()
        } catch {
            throw error.webImageError(stage: .decode)
        }
        self.levels = levels
        self.orientation = orientation
        self.colorSpace = colorSpace
        readyRows = Mutex(levels.map { _ in 0 })
        writer = Mutex(
            try RowSpoolWriter(
                levels.map { RowSpoolWriter.Target(size: $0.size, offset: $0.offset) }, file, cancellation))
    }

    /// Why rows could not be written; nil where they could.
    package var failure: WebImageError? { writer.withLock { $0.failure?.webImageError(stage: .decode) } }

    package func receive(_ row: UnsafeRawBufferPointer) {
        let rows = writer.withLock { writer in
            writer.receive(row)
            return writer.writtenRows
        }
        readyRows.withLock { $0 = rows }
    }

    /// Whether all rows have come.
    package var isComplete: Bool { readyRows.withLock { $0.last == levels.last?.size.height } }

    /// Whether all rows of a region have come.
    package func isReady(_ region: PixelRegion, reduction: Int) -> Bool {
        guard let place = levels.firstIndex(where: { $0.reduction == reduction }) else { return false }
        return readyRows.withLock { $0[place] >= region.rows.upperBound }
    }

    /// The pixels of a region, upright.
    ///
    /// - Parameter region: Stored pixels of the reduced picture, within it, whose rows have come.
    package func bitmap(of region: PixelRegion, reduction: Int) throws(WebImageError) -> Bitmap {
        guard let level = levels.first(where: { $0.reduction == reduction }) else {
            throw .outOfMemory(for: region.size)
        }
        let byteCount = region.columns.count * RowSpoolWriter.bytesPerPixel
        return try Bitmap(
            size: orientation.apply(to: region.size), colorSpace: colorSpace
        ) { base, _ throws(WebImageError) in
            let pixels = base.assumingMemoryBound(to: UInt8.self)
            guard
                let rows = OrientedRows(
                    storedSize: region.size, depth: .eight, orientation: orientation, destination: pixels)
            else { throw .outOfMemory(for: region.size) }
            var isOpaque = true
            for row in region.rows {
                let place =
                    level.offset + (row * level.size.width + region.columns.lowerBound) * RowSpoolWriter.bytesPerPixel
                try read(UnsafeMutableRawBufferPointer(start: rows.nextRow, count: byteCount), at: place)
                isOpaque = isOpaque && PixelDepth.eight.isOpaque(rows.nextRow, count: region.columns.count)
                rows.nextRowIsFinished()
            }
            return isOpaque
        }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(WebImageError) {
        do throws(FileSystemError) {
            try file.read(into: buffer, at: offset)
        } catch {
            throw error.webImageError(stage: .decode)
        }
    }
}

/// Halves rows again and again, and writes each size when some of its rows are complete.
///
/// `@unchecked Sendable`: raw memory, which is touched under the lock of its only owner.
final class RowSpoolWriter: @unchecked Sendable {
    struct Target {
        let size: PixelSize
        let offset: Int
    }

    static let bytesPerPixel = 4
    /// The rows that are written together take up to this.
    private static let bufferByteCount = 1 << 20

    private struct Level {
        let target: Target
        let buffer: PixelBuffer
        let capacity: Int
        /// Halves rows for the next level; nil for the last one.
        let halver: PixelHalver?
        var bufferedRows = 0
        var writtenRows = 0

        var bytesPerRow: Int { target.size.width * RowSpoolWriter.bytesPerPixel }
        var nextRow: UnsafeMutablePointer<UInt8> { buffer.base + bufferedRows * bytesPerRow }
        var isLastRow: Bool { writtenRows + bufferedRows == target.size.height }
    }

    private(set) var failure: FileSystemError?
    private let file: TemporaryFile
    private let cancellation: CancellationFlag
    private var levels: [Level] = []

    init(_ targets: [Target], _ file: TemporaryFile, _ cancellation: CancellationFlag) throws(WebImageError) {
        self.file = file
        self.cancellation = cancellation
        for (place, target) in targets.enumerated() {
            let byteCount = target.size.width * Self.bytesPerPixel
            let capacity = max(1, min(target.size.height, Self.bufferByteCount / max(1, byteCount)))
            guard let buffer = PixelBuffer(byteCount: capacity * byteCount) else {
                throw .outOfMemory(for: target.size)
            }
            let halver = place + 1 < targets.count ? try PixelHalver(target.size) : nil
            levels.append(Level(target: target, buffer: buffer, capacity: capacity, halver: halver))
        }
    }

    /// The rows of each size that are in the file.
    var writtenRows: [Int] { levels.map(\.writtenRows) }

    func receive(_ row: UnsafeRawBufferPointer) {
        let byteCount = levels[0].bytesPerRow
        // Without a row that is too short, the picture is not complete.
        guard let start = row.baseAddress, row.count >= byteCount, failure == nil,
            levels[0].writtenRows < levels[0].target.size.height
        else { return }
        UnsafeMutableRawPointer(levels[0].nextRow).copyMemory(from: start, byteCount: byteCount)
        complete(0)
    }

    /// The next row of a level is in its buffer.
    private func complete(_ place: Int) {
        let level = levels[place]
        let row = UnsafeRawBufferPointer(start: level.nextRow, count: level.bytesPerRow)
        let isHalved = level.halver?.add(row, result: levels[min(place + 1, levels.count - 1)].nextRow) ?? false
        levels[place].bufferedRows += 1
        if levels[place].bufferedRows == level.capacity || levels[place].isLastRow { write(place) }
        if isHalved { complete(place + 1) }
    }

    private func write(_ place: Int) {
        let level = levels[place]
        let bytes = UnsafeRawBufferPointer(start: level.buffer.base, count: level.bufferedRows * level.bytesPerRow)
        do throws(FileSystemError) {
            try file.write(bytes, at: level.target.offset + level.writtenRows * level.bytesPerRow)
        } catch {
            failure = error
            cancellation.cancel()
        }
        levels[place].writtenRows += level.bufferedRows
        levels[place].bufferedRows = 0
    }
}
