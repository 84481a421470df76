import FoundationEssentials
import WebImageCore

/// Finds the orientation tag in EXIF data.
///
/// EXIF is a TIFF file (TIFF 6.0 §2) in every container: in JPEG's APP1 after `Exif\0\0`, in PNG's eXIf, in WebP's EXIF
/// chunk.
package enum EXIFOrientation {
    /// The orientation in `data`, with or without `Exif\0\0` before the TIFF header; upright when `data` are malformed.
    package static func parse(_ data: Data) -> ImageOrientation { find(in: data) ?? .up }

    /// The same, but nil when `data` have none.
    package static func find(in data: Data) -> ImageOrientation? {
        var bytes = data[...]
        if bytes.starts(with: prefix) { bytes = bytes.dropFirst(prefix.count) }
        return Reader(bytes: bytes).orientation
    }

    private static let prefix = Array("Exif\0\0".utf8)

    private struct Reader {
        let bytes: Data
        let isLittleEndian: Bool

        init(bytes: Data) {
            self.bytes = bytes
            isLittleEndian = bytes.starts(with: Array("II".utf8))
        }

        var orientation: ImageOrientation? {
            guard isLittleEndian || bytes.starts(with: Array("MM".utf8)), integer(at: 2, byteCount: 2) == 42,
                let directory = integer(at: 4, byteCount: 4), let count = integer(at: directory, byteCount: 2)
            else { return nil }
            for index in 0..<count {
                let entry = directory + 2 + index * 12
                guard let tag = integer(at: entry, byteCount: 2) else { return nil }
                if tag == 0x0112 { return value(of: entry) }
            }
            return nil
        }

        /// EXIF 2.3 §4.6.4 requires one SHORT (type 3); some writers use a LONG (type 4).
        private func value(of entry: Int) -> ImageOrientation? {
            guard integer(at: entry + 4, byteCount: 4) == 1, let type = integer(at: entry + 2, byteCount: 2),
                type == 3 || type == 4, let value = integer(at: entry + 8, byteCount: type == 3 ? 2 : 4)
            else { return nil }
            return ImageOrientation(rawValue: value)
        }

        /// An unsigned number in the file's byte order; nil beyond the end.
        private func integer(at offset: Int, byteCount: Int) -> Int? {
            guard offset >= 0, offset + byteCount <= bytes.count else { return nil }
            let start = bytes.startIndex + offset
            let digits = bytes[start..<start + byteCount]
            return (isLittleEndian ? digits.reversed() : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
