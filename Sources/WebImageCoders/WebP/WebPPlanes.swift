import CPixels
import CWebP
import WebImageCore
import WebImagePixels

/// The luma and chroma of a lossy picture for a much smaller thumbnail: blocks are averaged before they are converted
/// to colours. Faster than libwebp's own scaler, and more exact. Belongs to one thread.
final class WebPPlanes {
    /// The size of the opaque pixels from ``writeNextRow(to:)``.
    let reducedSize: PixelSize
    /// The part of that size which the picture covers.
    let covered: PixelSource.Extent

    private let size: PixelSize
    private let factor: BoxFactor
    private let planes: PixelBuffer
    private let sums: PixelBuffer
    private let averages: PixelBuffer
    private var writtenRows = 0

    /// The maximum memory of both planes; libwebp's scaler, which needs none, does larger pictures.
    private static let maximumByteCount = 64 << 20

    /// nil for a reduction too small for blocks, a picture that is too large, and without memory.
    init?(size: PixelSize, target: PixelSize) {
        let factor = BoxFactor(from: size, to: target).inPairs
        let byteCount = size.area + 2 * Self.chromaSize(size).area
        guard factor.x > 0, factor.y > 0, byteCount <= Self.maximumByteCount else { return nil }
        let cells = factor.cells(in: size.width, by: factor.x)
        guard let planes = PixelBuffer(byteCount: byteCount),
            let sums = PixelBuffer(byteCount: size.width * MemoryLayout<UInt16>.size),
            let averages = PixelBuffer(byteCount: cells * 3 * MemoryLayout<UInt16>.size)
        else { return nil }
        sums.base.clear(count: size.width * MemoryLayout<UInt16>.size)
        self.size = size
        self.factor = factor
        self.planes = planes
        self.sums = sums
        self.averages = averages
        reducedSize = PixelSize(width: cells, height: factor.cells(in: size.height, by: factor.y))
        covered = PixelSource.Extent(
            width: Double(size.width) / Double(factor.x), height: Double(size.height) / Double(factor.y))
    }

    /// libwebp's output buffers.
    var output: WebPYUVABuffer {
        let chroma = Self.chromaSize(size)
        var buffer = WebPYUVABuffer()
        buffer.y = planes.base
        buffer.u = planes.base + size.area
        buffer.v = planes.base + size.area + chroma.area
        buffer.y_stride = Int32(size.width)
        buffer.u_stride = Int32(chroma.width)
        buffer.v_stride = Int32(chroma.width)
        buffer.y_size = size.area
        buffer.u_size = chroma.area
        buffer.v_size = chroma.area
        return buffer
    }

    /// Whether the next row can be written once libwebp has written `rowCount` rows.
    func hasNextRow(after rowCount: Int) -> Bool {
        writtenRows < reducedSize.height && rowCount >= min(size.height, (writtenRows + 1) * factor.y)
    }

    func writeNextRow(to row: UnsafeMutablePointer<UInt8>) {
        let chroma = Self.chromaSize(size)
        let width = reducedSize.width
        averages.base.withMemoryRebound(to: UInt16.self, capacity: width * 3) { averages in
            average(planes.base, size, factor, to: averages)
            average(planes.base + size.area, chroma, factor.halved, to: averages + width)
            average(planes.base + size.area + chroma.area, chroma, factor.halved, to: averages + width * 2)
            webimage_video_to_rgba(averages, averages + width, averages + width * 2, row, width)
        }
        writtenRows += 1
    }

    private func average(
        _ plane: UnsafePointer<UInt8>, _ size: PixelSize, _ factor: BoxFactor, to result: UnsafeMutablePointer<UInt16>
    ) {
        let rows = factor.pixels(of: writtenRows..<writtenRows + 1, in: size.height, by: factor.y)
        sums.base.withMemoryRebound(to: UInt16.self, capacity: size.width) { sums in
            for y in rows { webimage_box_add(plane + y * size.width, sums, size.width) }
            webimage_plane_average(sums, size.width, factor.x, rows.count, result)
        }
    }

    private static func chromaSize(_ size: PixelSize) -> PixelSize {
        PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }
}
