import CPixels
import WebImageCore

/// The positions of red, green, blue and alpha in a pixel of 16 or 32 bits.
struct BMPChannels: Sendable, Hashable {
    /// Red, green, blue, alpha; 0 for a missing channel.
    let masks: [UInt32]

    init(masks: [UInt32]) { self.masks = masks }

    /// The header's masks, those after it, or the usual ones for the depth.
    ///
    /// Without masks the fourth byte of 32 bits is not alpha: most writers leave 0 there.
    init(_ fields: BMPHeaderFields, masksAfterHeader reader: inout ByteReader) throws(WebImageError) {
        var masks = fields.masks
        if fields.maskCountAfterHeader > 0 { masks = [] }
        for _ in 0..<fields.maskCountAfterHeader { masks.append(UInt32(try reader.littleEndian(bytes: 4))) }
        if !fields.usesMasks || masks.isEmpty { masks = Self.usual(bitsPerPixel: fields.bitsPerPixel) }
        self.masks = masks + [UInt32](repeating: 0, count: 4 - masks.count)
    }

    var hasAlpha: Bool { masks[3] != 0 }

    /// The usual order of 32 bits: blue, green, red and an unused byte.
    var isBGRX: Bool { masks == Self.usual(bitsPerPixel: 32) + [0] }
    /// The same with alpha.
    var isBGRA: Bool { masks == Self.usual(bitsPerPixel: 32) + [0xFF00_0000] }

    /// The widest channel's bits; 8 without masks.
    var bitsPerChannel: Int { max(1, masks.map { $0.nonzeroBitCount }.max() ?? 8) }

    /// The masks in the form that the C loops take.
    var layout: [webimage_channel] {
        masks.map { mask in
            guard mask != 0 else { return webimage_channel(mask: 0, shift: 0, scale: 0) }
            // A byte of the result has no room for more than 16 bits of a channel.
            let width = UInt32.bitWidth - mask.leadingZeroBitCount - mask.trailingZeroBitCount
            let shift = mask.trailingZeroBitCount + max(0, width - 16)
            let largest = mask >> UInt32(shift)
            return webimage_channel(mask: mask, shift: UInt32(shift), scale: 255 / Float(largest))
        }
    }

    private static func usual(bitsPerPixel: Int) -> [UInt32] {
        bitsPerPixel == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0xFF00, 0xFF]
    }
}
