/// What stands before the first scan of a JPEG file.
struct JPEGHeader {
    /// Columns and rows as stored.
    let size: PixelSize
    let bitsPerChannel: Int
    let isCMYK: Bool
    let isGray: Bool
    /// Progressive, or a scan per channel: decoding holds the whole picture whatever the size of the result.
    let hasMultipleScans: Bool
    /// Compressed by an arithmetic coder, whose decoder cannot wait for bytes: decoded from whole files only.
    let isArithmetic: Bool
    let orientation: ImageOrientation
    let profile: ColorProfile?

    /// In which fraction of its size the picture is decoded for a result of size `target`.
    ///
    /// A fraction that makes just that size, or 1/8, 2/8 or 4/8: the others have no vector code in the decoder and take
    /// longer than the next larger one.
    func eighths(for target: PixelSize) -> Int {
        if target == size { return 8 }
        if let exact = (1..<8).first(where: { scaled(byEighths: $0) == target }) { return exact }
        let enough = [1, 2, 4].first {
            size.width * $0 >= target.width * 8 && size.height * $0 >= target.height * 8
        }
        return enough ?? 8
    }

    /// The size at which the decoder delivers.
    func scaled(byEighths count: Int) -> PixelSize {
        PixelSize(width: (size.width * count + 7) / 8, height: (size.height * count + 7) / 8)
    }

    /// The decoder rounds sizes up; this is what the picture takes of them.
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
