import FoundationEssentials

/// A JPEG file in whose scans a damaged byte looks like a marker. libjpeg takes the scan to end there.
enum JPEGRepair {
    private static let markerStart: UInt8 = 0xFF
    /// Any byte that begins no marker: which bit of it was flipped is unknown, and the decoder is in step again a little later.
    private static let replacement: UInt8 = 0xFE

    private enum Marker {
        static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
        /// The length of restart intervals.
        static let restartInterval: UInt8 = 0xDD
        static let end: UInt8 = 0xD9
        static let scan: UInt8 = 0xDA
        /// Tables, the number of lines, restarts, comments and data of applications.
        static let betweenScans: Set<UInt8> = Set(
            [0xC4, 0xCC, scan, 0xDB, 0xDC, restartInterval, 0xFE] + (0xE0...0xEF))
    }

    /// The file without false markers; nil where it has none.
    static func withoutFalseMarkers(_ file: Data) -> Data? {
        let places = file.bytes.withUnsafeBytes(falseMarkers)
        guard !places.isEmpty else { return nil }
        var repaired = file.bytes.withUnsafeBytes { Data($0) }
        for place in places { repaired[place] = replacement }
        return repaired
    }

    private static func falseMarkers(_ bytes: UnsafeRawBufferPointer) -> [Int] {
        var (result, isInScan, hasRestarts, index): ([Int], Bool, Bool, Int) = ([], false, false, 2)
        while let marker = nextMarker(in: bytes, from: index) {
            let code = bytes[marker + 1]
            // A zero after 0xFF is stuffed, and more of them fill.
            if isInScan, code == 0 || code == markerStart || hasRestarts && Marker.restarts.contains(code) {
                index = marker + (code == markerStart ? 1 : 2)
            } else if code == Marker.end {
                break
            } else if !isInScan || beginsSegment(bytes, at: marker) {
                hasRestarts = hasRestarts || code == Marker.restartInterval
                isInScan = code == Marker.scan
                index = segmentEnd(bytes, at: marker) ?? bytes.count
            } else {
                result.append(marker)
                index = marker + 1
            }
        }
        return result
    }

    private static func nextMarker(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count - 1 else { return nil }
        return bytes[start..<bytes.count - 1].firstIndex(of: markerStart)
    }

    /// Whether a marker within a scan ends it: another one follows its segment, or a scan's codes do.
    private static func beginsSegment(_ bytes: UnsafeRawBufferPointer, at marker: Int) -> Bool {
        let code = bytes[marker + 1]
        guard Marker.betweenScans.contains(code), let end = segmentEnd(bytes, at: marker) else { return false }
        guard code != Marker.scan else { return isScanHeader(bytes, at: marker) }
        return end + 1 < bytes.count && bytes[end] == markerStart && bytes[end + 1] >= 0xC0
    }

    /// The end of the segment with its length in front; nil behind the end of the file.
    private static func segmentEnd(_ bytes: UnsafeRawBufferPointer, at marker: Int) -> Int? {
        guard marker + 3 < bytes.count else { return nil }
        let length = Int(bytes[marker + 2]) << 8 | Int(bytes[marker + 3])
        return length >= 2 && marker + 2 + length <= bytes.count ? marker + 2 + length : nil
    }

    /// Its length follows from the number of its components (ITU-T T.81 §B.2.3).
    private static func isScanHeader(_ bytes: UnsafeRawBufferPointer, at marker: Int) -> Bool {
        guard marker + 4 < bytes.count, 1...4 ~= bytes[marker + 4] else { return false }
        return segmentEnd(bytes, at: marker) == marker + 8 + 2 * Int(bytes[marker + 4])
    }
}
