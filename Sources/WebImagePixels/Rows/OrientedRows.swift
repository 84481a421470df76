import CPixels
import WebImageCore

/// Takes rows in stored orientation and writes their pixels upright.
///
/// Upright rows are written in place. Others are collected in strips of 16: a strip rotated by a quarter turn fills
/// whole cache lines, where a single row would touch one line per pixel. So no second picture is needed.
package final class OrientedRows {
    /// Columns and rows as stored.
    let storedSize: PixelSize

    private static let stripHeight = 16

    private let depth: PixelDepth
    private let destination: UnsafeMutablePointer<UInt8>
    private let placement: Placement
    private let strip: PixelBuffer?
    /// Takes the rows instead of the picture.
    private let receiver: (any PixelRowReceiver)?
    private var rowsInStrip = 0
    private var finishedRows = 0

    /// - Parameter destination: Memory for the whole picture, rows without padding; must outlive this object.
    package init?(
        storedSize: PixelSize, depth: PixelDepth, orientation: ImageOrientation,
        destination: UnsafeMutablePointer<UInt8>
    ) {
        self.depth = depth
        self.storedSize = storedSize
        self.destination = destination
        receiver = nil
        placement = Placement(storedSize: storedSize, orientation: orientation)
        if orientation == .up {
            strip = nil
        } else {
            let height = min(Self.stripHeight, storedSize.height)
            guard let strip = PixelBuffer(byteCount: storedSize.width * depth.bytesPerPixel * height) else {
                return nil
            }
            self.strip = strip
        }
    }

    /// Rows that are handed on as they are, each in the same buffer.
    init?(size: PixelSize, depth: PixelDepth, receiver: any PixelRowReceiver) {
        guard let row = PixelBuffer(byteCount: size.width * depth.bytesPerPixel) else { return nil }
        self.depth = depth
        self.receiver = receiver
        storedSize = size
        destination = row.base
        placement = Placement(storedSize: size, orientation: .up)
        strip = row
    }

    /// The number of finished rows that are already in the picture instead of the strip.
    var placedRows: Int { finishedRows - rowsInStrip }

    /// The buffer where the next row is written and finished.
    ///
    /// After the last row it stays at that row.
    package var nextRow: UnsafeMutablePointer<UInt8> {
        if let strip { return strip.base + rowsInStrip * bytesPerRow }
        return destination + min(finishedRows, storedSize.height - 1) * bytesPerRow
    }

    private var bytesPerRow: Int { storedSize.width * depth.bytesPerPixel }

    /// Marks ``nextRow`` as finished.
    package func nextRowIsFinished() {
        finishedRows += 1
        if let receiver { return receiver.receive(UnsafeRawBufferPointer(start: destination, count: bytesPerRow)) }
        guard let strip else { return }
        rowsInStrip += 1
        guard rowsInStrip == Self.stripHeight || finishedRows == storedSize.height else { return }
        place(strip)
        rowsInStrip = 0
    }

    private func place(_ strip: PixelBuffer) {
        let firstRow = finishedRows - rowsInStrip
        let start = destination + (placement.origin + firstRow * placement.stepY) * depth.bytesPerPixel
        guard depth == .eight else {
            webimage_deep_place(
                strip.base, storedSize.width, rowsInStrip, start, placement.stepX, placement.stepY)
            return
        }
        strip.base.withMemoryRebound(to: UInt32.self, capacity: rowsInStrip * storedSize.width) { from in
            start.withMemoryRebound(to: UInt32.self, capacity: 1) { to in
                webimage_place(from, storedSize.width, rowsInStrip, to, placement.stepX, placement.stepY)
            }
        }
    }
}

/// The place of stored pixel (x, y), as an index into the upright picture: `origin + x * stepX + y * stepY`.
struct Placement: Sendable, Hashable {
    let origin: Int
    let stepX: Int
    let stepY: Int

    init(storedSize: PixelSize, orientation: ImageOrientation) {
        let lastX = storedSize.width - 1
        let lastY = storedSize.height - 1
        let rowLength = orientation.apply(to: storedSize).width
        (origin, stepX, stepY) =
            switch orientation {
            case .up: (0, 1, rowLength)
            case .upMirrored: (lastX, -1, rowLength)
            case .down: (lastY * rowLength + lastX, -1, -rowLength)
            case .downMirrored: (lastY * rowLength, 1, -rowLength)
            case .leftMirrored: (0, rowLength, 1)
            case .right: (lastY, rowLength, -1)
            case .rightMirrored: (lastX * rowLength + lastY, -rowLength, -1)
            case .left: (lastX * rowLength, -rowLength, 1)
            }
    }
}
