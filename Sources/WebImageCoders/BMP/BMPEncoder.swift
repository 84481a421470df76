import CPixels
import FoundationEssentials
import WebImageCore

/// Writes a BMP file, bottom row first as every reader expects.
struct BMPEncoder {
    private let size: PixelSize
    private let hasAlpha: Bool

    private static let fileHeaderByteCount = 14
    private static let headerByteCount = 40
    /// The header of version 4, the first with an alpha mask that all readers support.
    private static let alphaHeaderByteCount = 108
    private static let masksCompression = 3
    /// `LCS_sRGB`, "sRGB".
    private static let sRGB = 0x7352_4742
    /// 72 dots an inch.
    private static let pixelsPerMeter = 2835

    init(size: PixelSize, hasAlpha: Bool) {
        self.size = size
        self.hasAlpha = hasAlpha
    }

    private var bytesPerRow: Int { hasAlpha ? size.width * 4 : (size.width * 3 + 3) & ~3 }

    private var pixelOffset: Int {
        Self.fileHeaderByteCount + (hasAlpha ? Self.alphaHeaderByteCount : Self.headerByteCount)
    }

    /// The file of straight pixels in rows `rowStride` bytes apart.
    func encode(_ base: UnsafePointer<UInt8>, bytesPerRow rowStride: Int) throws(WebImageError) -> Data {
        guard size.area <= Int(UInt32.max) / 4 - pixelOffset, max(size.width, size.height) <= Int(Int32.max) else {
            throw .notEncoded(.bmp, "\(size) pixels do not fit the format")
        }
        var file = header
        file.reserveCapacity(pixelOffset + bytesPerRow * size.height)
        var row = [UInt8](repeating: 0, count: bytesPerRow)
        for y in (0..<size.height).reversed() {
            pack(base + y * rowStride, to: &row)
            file.append(contentsOf: row)
        }
        return file
    }

    private func pack(_ pixels: UnsafePointer<UInt8>, to row: inout [UInt8]) {
        if hasAlpha {
            webimage_unpack_bgra(pixels, &row, size.width)
        } else {
            webimage_pack_bgr(pixels, &row, size.width)
        }
    }

    private var header: Data {
        var bytes = Data("BM".utf8)
        func append(_ value: Int, bytes count: Int) {
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (index * 8))) }
        }
        append(pixelOffset + bytesPerRow * size.height, bytes: 4)
        append(0, bytes: 4)
        append(pixelOffset, bytes: 4)
        append(pixelOffset - Self.fileHeaderByteCount, bytes: 4)
        append(size.width, bytes: 4)
        append(size.height, bytes: 4)
        append(1, bytes: 2)
        append(hasAlpha ? 32 : 24, bytes: 2)
        append(hasAlpha ? Self.masksCompression : 0, bytes: 4)
        append(bytesPerRow * size.height, bytes: 4)
        for _ in 0..<2 { append(Self.pixelsPerMeter, bytes: 4) }
        for _ in 0..<2 { append(0, bytes: 4) }
        guard hasAlpha else { return bytes }
        for mask in [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000] { append(mask, bytes: 4) }
        append(Self.sRGB, bytes: 4)
        // End points and gamma, which readers ignore when the colour space has a name.
        bytes.append(Data(count: pixelOffset - bytes.count))
        return bytes
    }
}
