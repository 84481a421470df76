import CJPEG
import FoundationEssentials
import WebImageCore

/// Places in the scan of a baseline file: one at the beginning of each row of groups, and one after each `stride` groups
/// in it.
struct JPEGIndex: Sendable {
    /// The groups between two places of a row.
    let stride: Int
    /// The groups in a row.
    let columns: Int
    let rows: Int
    /// One row after the other, and the end of the scan.
    private(set) var checkpoints: [webimage_jpeg_checkpoint] = []

    /// The most places: 16 bytes each. A row has one at least.
    private static let largestCount = 1 << 18

    init(_ map: JPEGMap) {
        columns = map.columns
        rows = map.rows
        var stride = 32
        while stride < columns, (columns + stride - 1) / stride * rows > Self.largestCount { stride *= 2 }
        self.stride = stride
    }

    /// The places in a row.
    var perRow: Int { (columns + stride - 1) / stride }

    var isComplete: Bool { checkpoints.count == rows * perRow + 1 }

    /// The rows of which all places are known, and the first of the next row.
    var completeRows: Int { isComplete ? rows : max(0, checkpoints.count - 1) / perRow }

    mutating func append(_ places: [webimage_jpeg_checkpoint]) { checkpoints += places }

    /// The values needed to read some groups of a row.
    struct Reading {
        /// From the one to begin at up to the one behind the last group.
        let checkpoints: ArraySlice<webimage_jpeg_checkpoint>
        /// The bytes in the file.
        let bytes: Range<Int>
        /// The groups before the first wanted one.
        let skip: Int
        /// The number of the first checkpoint's group in the scan.
        let group: Int
    }

    /// - Parameters:
    ///   - wanted: The groups, of a complete row.
    ///   - row: The row of groups.
    func reading(_ wanted: Range<Int>, ofRow row: Int) throws(WebImageError) -> Reading {
        let first = wanted.lowerBound / stride
        let last = min(perRow, (wanted.upperBound + stride - 1) / stride)
        let places = checkpoints[row * perRow + first...row * perRow + last]
        let start = Int(places[places.startIndex].position >> 3)
        // The last byte of a group may be the first of the next one, and a stuffed zero follows it.
        let end = Int(places[places.endIndex - 1].position >> 3) + 2
        let groups = (last - first) * stride
        guard start < end, end - start <= (groups + 1) * Int(WEBIMAGE_JPEG_GROUP_BYTES) else {
            throw .contradictoryJPEG
        }
        return Reading(
            checkpoints: places.dropLast(last == perRow ? 1 : 0), bytes: start..<end,
            skip: wanted.lowerBound - first * stride, group: row * columns + first * stride)
    }
}

// MARK: - Keeping

extension JPEGIndex {
    private static let version: UInt32 = 1
    private static let headerByteCount = 16

    /// The bytes of a complete index.
    var data: Data {
        var data = Data(
            capacity: Self.headerByteCount + checkpoints.count * MemoryLayout<webimage_jpeg_checkpoint>.size)
        for number in [Self.version, UInt32(stride), UInt32(columns), UInt32(rows)] { data.append(integer: number) }
        checkpoints.withUnsafeBytes { data.append(contentsOf: $0) }
        return data
    }

    /// The index of an earlier reading; nil where it cannot be that of this file.
    init?(_ data: Data, of map: JPEGMap, byteCount: Int) {
        self.init(map)
        let count = rows * perRow + 1
        let size = MemoryLayout<webimage_jpeg_checkpoint>.size
        guard data.count == Self.headerByteCount + count * size else { return nil }
        let header = data.prefix(Self.headerByteCount).withUnsafeBytes { bytes in
            (0..<4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
        guard header == [Self.version, UInt32(stride), UInt32(columns), UInt32(rows)] else { return nil }
        checkpoints = [webimage_jpeg_checkpoint](unsafeUninitializedCapacity: count) { buffer, filled in
            data.dropFirst(Self.headerByteCount).withUnsafeBytes {
                UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0)
            }
            filled = count
        }
        guard isInOrder(byteCount: byteCount, begin: map.layout.offset) else { return nil }
    }

    /// Whether the places follow one another within the file.
    private func isInOrder(byteCount: Int, begin: UInt64) -> Bool {
        var last = begin << 3
        for place in checkpoints {
            guard place.position >= last else { return false }
            last = place.position
        }
        return last >> 3 <= UInt64(byteCount)
    }
}
