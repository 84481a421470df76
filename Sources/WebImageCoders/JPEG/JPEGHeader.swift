import WebImageCore
import WebImagePixels

/// The data before the first scan of a JPEG file.
struct JPEGHeader {
    /// Columns and rows as stored.
    let size: PixelSize
    let bitsPerChannel: Int
    let isCMYK: Bool
    let isGray: Bool
    /// Progressive, or one scan per channel: the decoder holds the whole picture for a result of any size.
    let hasMultipleScans: Bool
    /// Arithmetic coding: its decoder cannot suspend, so only complete files are decoded.
    let isArithmetic: Bool
    let orientation: ImageOrientation
    let profile: ColorProfile?

    /// The scale, in eighths, for a result of size `target`.
    ///
    /// Either the scale with exactly that size, or 1/8, 2/8 or 4/8: the others have no vector code in the decoder and
    /// take longer than the next larger one.
    func eighths(for target: PixelSize) -> Int {
        if target == size { return 8 }
        if let exact = (1..<8).first(where: { scaled(byEighths: $0) == target }) { return exact }
        let enough = [1, 2, 4].first {
            size.width * $0 >= target.width * 8 && size.height * $0 >= target.height * 8
        }
        return enough ?? 8
    }

    /// The size of the decoder's rows.
    func scaled(byEighths count: Int) -> PixelSize {
        PixelSize(width: (size.width * count + 7) / 8, height: (size.height * count + 7) / 8)
    }

    /// The decoder rounds sizes up; this is the part that the picture covers.
    func extent(eighths: Int) -> PixelSource.Extent {
        PixelSource.Extent(
            width: Double(size.width * eighths) / 8, height: Double(size.height * eighths) / 8)
    }

    var properties: ImageProperties {
        ImageProperties(
            format: .jpeg, pixelSize: orientation.apply(to: size), orientation: orientation,
            bitsPerChannel: bitsPerChannel, iccProfileName: profile?.name)
    }
}
