import CJPEG
import WebImageCore

/// The tables and the layout of a baseline file's scan; the only user of the C map.
///
/// `@unchecked Sendable`: the map does not change after it is made, and is destroyed with this object.
final class JPEGMap: @unchecked Sendable {
    /// Groups of blocks (MCUs), and where they begin.
    let layout: webimage_jpeg_map_layout
    private let map: OpaquePointer

    /// - Parameter map: Taken over.
    init(_ map: OpaquePointer) {
        self.map = map
        layout = webimage_jpeg_map_describe(map)
    }

    deinit { webimage_jpeg_map_destroy(map) }

    var columns: Int { Int(layout.columns) }
    var rows: Int { Int(layout.rows) }
    var groupSize: PixelSize { PixelSize(width: Int(layout.group_width), height: Int(layout.group_height)) }

    /// Reads groups from the beginning of `bytes` on; see `webimage_jpeg_index`.
    func index(
        _ indexer: inout webimage_jpeg_indexer, _ bytes: UnsafeRawBufferPointer, isLast: Bool,
        into checkpoints: inout [webimage_jpeg_checkpoint]
    ) -> webimage_jpeg_index_status {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return WEBIMAGE_JPEG_INDEX_FAILED }
        var status = WEBIMAGE_JPEG_INDEX_FAILED
        checkpoints = Array(unsafeUninitializedCapacity: Self.checkpointsAtOnce) { buffer, count in
            status = webimage_jpeg_index(
                map, &indexer, start, bytes.count, isLast, buffer.baseAddress, buffer.count, &count)
        }
        return status
    }

    private static let checkpointsAtOnce = 4096

    /// A small file of a region, whose rows of groups `addRows` adds.
    ///
    /// - Parameters:
    ///   - size: The region's pixels.
    ///   - columns: The groups in each row.
    ///   - body: Gets the file.
    func withRegion<Result>(
        _ size: PixelSize, columns: Int, addRows: (JPEGRegionRows) throws(WebImageError) -> Void,
        _ body: (UnsafeRawBufferPointer) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        guard
            let region = webimage_jpeg_region_create(map, UInt32(size.width), UInt32(size.height), UInt32(columns))
        else { throw .outOfMemory(for: size) }
        defer { webimage_jpeg_region_destroy(region) }
        try addRows(JPEGRegionRows(region: region))
        var count = 0
        guard let bytes = webimage_jpeg_region_finish(region, &count) else { throw .outOfMemory(for: size) }
        return try body(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

/// The rows of a region in the making.
struct JPEGRegionRows {
    fileprivate let region: OpaquePointer

    /// Adds the next row; see `webimage_jpeg_region_add_row`.
    func add(
        _ bytes: [UInt8], checkpoints: ArraySlice<webimage_jpeg_checkpoint>, stride: Int, group: Int, skip: Int
    ) throws(WebImageError) {
        let isAdded = checkpoints.withUnsafeBufferPointer { places in
            webimage_jpeg_region_add_row(
                region, bytes, bytes.count, places.baseAddress, places.count, UInt32(stride), UInt64(group),
                UInt32(skip))
        }
        guard isAdded else { throw .contradictoryJPEG }
    }
}

extension WebImageError {
    /// The file was changed or cut off since it was read first, or its kept index is another file's.
    static var contradictoryJPEG: WebImageError {
        .damaged(.jpeg, "its bytes are not those that were read first")
    }
}
