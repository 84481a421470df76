import CPixels
import FoundationEssentials
import WebImageCore

/// Uncompressed rows, converted to pixels one at a time, in any order.
struct BMPRows {
    private let header: BMPHeader
    private let channels: [webimage_channel]
    private let bytes: UnsafePointer<UInt8>
    /// Whether the fourth byte of 32 bits is alpha.
    private let hasFourthByte: Bool

    /// - Parameters:
    ///   - bytes: The file's bytes, at least up to the last pixel; they must outlive this value.
    ///   - fourthByteIsAlpha: For 32 bits without masks, as in icons.
    init(_ header: BMPHeader, bytes: UnsafePointer<UInt8>, fourthByteIsAlpha: Bool = false) {
        self.header = header
        self.bytes = bytes
        hasFourthByte = fourthByteIsAlpha && header.channels.isBGRX || header.channels.isBGRA
        channels = header.channels.layout
    }

    /// Writes row `y`, counted from the top.
    func unpack(_ y: Int, to row: UnsafeMutablePointer<UInt8>) {
        let index = header.isTopDown ? y : header.size.height - 1 - y
        let stored = bytes + header.pixelOffset + index * header.bytesPerRow
        let width = header.size.width
        switch header.bitsPerPixel {
        case 16: webimage_unpack_words_16(stored, channels, row, width)
        case 24: webimage_unpack_bgr(stored, row, width)
        case 32: unpackWords(stored, row, width)
        case let bits: webimage_unpack_indices(stored, UInt32(bits), header.palette.colors, row, width)
        }
    }

    private func unpackWords(_ stored: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>, _ width: Int) {
        if hasFourthByte {
            webimage_unpack_bgra(stored, row, width)
        } else if header.channels.isBGRX {
            webimage_unpack_bgra(stored, row, width)
            webimage_set_opaque(row, width)
        } else {
            webimage_unpack_words_32(stored, channels, row, width)
        }
    }
}
