import CPNG
import WebImageCore

/// Reads the rows of a file that is not interlaced, from the beginning or from a checkpoint on. One thread at a time; the
/// only user of the C scan.
final class PNGScan {
    /// The rows read so far, also those before the checkpoint.
    private(set) var row = 0
    /// The bytes of a row with its filter's number.
    let rowByteCount: Int
    private let scan: OpaquePointer
    private var stream: PNGPixelStream

    /// - Parameter checkpoint: nil for the beginning.
    init(
        _ stream: PNGPixelStream, header: PNGHeader, from checkpoint: PNGCheckpoint? = nil
    ) throws(WebImageError) {
        rowByteCount = header.rowByteCount + 1
        guard let scan = webimage_png_scan_create(header.rowByteCount, header.pixelByteCount) else {
            throw .outOfMemory(for: header.size)
        }
        self.scan = scan
        self.stream = stream
        guard let checkpoint else { return }
        row = checkpoint.row
        self.stream.move(to: checkpoint.offset, left: checkpoint.left)
        let isResumed =
            checkpoint.prior.count == header.rowByteCount
            && checkpoint.window.count >= Int(checkpoint.place.window_count)
            && checkpoint.partial.count >= Int(checkpoint.place.partial_count)
            && webimage_png_scan_resume(
                scan, checkpoint.place, checkpoint.window, checkpoint.prior, checkpoint.partial)
        guard isResumed else { throw .contradictoryPNG }
    }

    deinit { webimage_png_scan_destroy(scan) }

    /// Why a reading has stopped.
    enum Stop {
        case room
        case block
        case end
    }

    /// Reads rows up to `capacity`; see `webimage_png_scan_read`.
    ///
    /// - Parameter rows: Room for so many rows, which is filled from `made` rows on.
    func read(
        into rows: UnsafeMutablePointer<UInt8>, capacity: Int, made: inout Int, stopsAtBlocks: Bool = false
    ) throws(WebImageError) -> Stop {
        while true {
            var status = WEBIMAGE_PNG_SCAN_FAILED
            var count = 0
            let hasBytes = try stream.withBytes { bytes in
                var used = 0
                status = webimage_png_scan_read(
                    scan, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &used, rows + made * rowByteCount,
                    capacity - made, &count, stopsAtBlocks)
                return used
            }
            made += count
            row += count
            switch status {
            case WEBIMAGE_PNG_SCAN_ROOM: return .room
            case WEBIMAGE_PNG_SCAN_BLOCK: return .block
            case WEBIMAGE_PNG_SCAN_END: return .end
            case WEBIMAGE_PNG_SCAN_MORE: guard hasBytes else { throw .truncated(.png) }
            default: throw .damaged(.png, "its pixels cannot be inflated")
            }
        }
    }

    /// The place behind a block, from which another scan can go on.
    func checkpoint() -> PNGCheckpoint {
        var place = webimage_png_scan_place()
        var (window, prior): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: rowByteCount - 1))
        var partial = [UInt8](repeating: 0, count: rowByteCount)
        window = [UInt8](repeating: 0, count: Int(WEBIMAGE_PNG_WINDOW_BYTES))
        place = webimage_png_scan_get_place(scan, &window, &prior, &partial)
        return PNGCheckpoint(
            row: row, offset: stream.offset, left: stream.left, place: place,
            window: Array(window.prefix(Int(place.window_count))), prior: prior,
            partial: Array(partial.prefix(Int(place.partial_count))))
    }
}

extension PNGHeader {
    /// The bytes of a row without its filter's number.
    var rowByteCount: Int { (size.width * colorType.channelCount * bitDepth + 7) / 8 }

    /// The bytes from a pixel to the next, at least 1: what filters look back.
    var pixelByteCount: Int { max(1, colorType.channelCount * bitDepth / 8) }
}

extension WebImageError {
    /// The file was changed since it was read first, or its kept index is another file's.
    static var contradictoryPNG: WebImageError {
        .damaged(.png, "its bytes are not those that were read first")
    }
}
