import FoundationEssentials
import WebImageCore

/// The numbers in a BMP's information header, unchanged.
///
/// The offsets are those of Windows' `BITMAPINFOHEADER` to `BITMAPV5HEADER`; OS/2's second header has the same ones up
/// to byte 40 and may end after any field; missing fields count as 0.
struct BMPHeaderFields {
    let byteCount: Int
    /// The header, padded with zeros to the length of the longest.
    private let bytes: [UInt8]

    private static let coreByteCount = 12
    private static let windowsByteCount = 40
    /// The maximum length of OS/2's second header.
    private static let os2ByteCount = 64
    /// Windows' header of version 5.
    private static let maximumByteCount = 124
    /// `PROFILE_EMBEDDED`, "MBED".
    private static let embeddedProfile = 0x4D42_4544

    init(_ data: Data, format: ImageFormat, at start: Int) throws(WebImageError) {
        var reader = ByteReader(data, format: format, range: start..<max(start, data.count))
        byteCount = try reader.littleEndian(bytes: 4)
        guard byteCount == Self.coreByteCount || 16...Self.maximumByteCount ~= byteCount else {
            throw .damaged(format, "its header claims \(byteCount) bytes")
        }
        let stored = try reader.bytes(count: byteCount - 4)
        bytes = [0, 0, 0, 0] + stored + [UInt8](repeating: 0, count: Self.maximumByteCount - byteCount)
    }

    /// OS/2's first header, with 16-bit sides and palette entries of three bytes.
    var isCore: Bool { byteCount == Self.coreByteCount }
    var width: Int { isCore ? number(at: 4, bytes: 2) : signed(at: 4) }
    /// Negative for a top-down picture.
    var height: Int { isCore ? number(at: 6, bytes: 2) : signed(at: 8) }
    var bitsPerPixel: Int { number(at: isCore ? 10 : 14, bytes: 2) }
    /// 0 for the maximum of the depth.
    var colorCount: Int { isCore ? 0 : number(at: 32, bytes: 4) }

    func size(format: ImageFormat) throws(WebImageError) -> PixelSize {
        guard width > 0, height != 0, height > Int(Int32.min) else {
            throw .damaged(format, "its size is \(width)×\(height)")
        }
        return PixelSize(width: width, height: abs(height))
    }

    func compression(format: ImageFormat) throws(WebImageError) -> BMPCompression {
        switch compressionNumber {
        case 0: .none
        case 1: .runLength8
        case 2: .runLength4
        case 3: isOS2 ? .huffman : .masks
        case 4: isOS2 ? .runLength24 : .jpeg
        case 5: .png
        // BI_ALPHABITFIELDS, of Windows CE.
        case 6: .masks
        default: throw .damaged(format, "its compression has the number \(compressionNumber), which is unknown")
        }
    }

    /// Red, green, blue, alpha; empty in headers without them.
    var masks: [UInt32] {
        guard !isOS2, byteCount >= 52 else { return [] }
        return (0..<(byteCount == 52 ? 3 : 4)).map { UInt32(number(at: 40 + $0 * 4, bytes: 4)) }
    }

    /// The number of masks after the header.
    var maskCountAfterHeader: Int {
        guard byteCount == Self.windowsByteCount else { return 0 }
        return compressionNumber == 3 ? 3 : compressionNumber == 6 ? 4 : 0
    }

    /// Whether masks describe the 16- and 32-bit pixels.
    var usesMasks: Bool { compressionNumber == 6 || compressionNumber == 3 && !isOS2 }

    /// The range of an ICC profile, relative to the beginning of the header.
    var profileRange: Range<Int>? {
        guard byteCount == Self.maximumByteCount, number(at: 56, bytes: 4) == Self.embeddedProfile else { return nil }
        let (start, count) = (number(at: 112, bytes: 4), number(at: 116, bytes: 4))
        return count > 0 ? start..<start + count : nil
    }

    private var compressionNumber: Int { isCore ? 0 : number(at: 16, bytes: 4) }

    /// Whether the header uses OS/2's compression numbers, which differ from Windows'.
    private var isOS2: Bool { byteCount <= Self.os2ByteCount && ![Self.windowsByteCount, 52, 56].contains(byteCount) }

    private func number(at offset: Int, bytes count: Int) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func signed(at offset: Int) -> Int { Int(Int32(truncatingIfNeeded: number(at: offset, bytes: 4))) }
}
