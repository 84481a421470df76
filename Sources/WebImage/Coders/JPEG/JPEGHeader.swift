/// What stands before the first scan of a JPEG file.
struct JPEGHeader {
    /// Columns and rows as stored.
    let size: PixelSize
    let bitsPerChannel: Int
    let isCMYK: Bool
    /// Progressive, or a scan per channel: decoding holds the whole picture whatever the size of the result.
    let hasMultipleScans: Bool
    let orientation: ImageOrientation
    let profile: ColorProfile?

    var properties: ImageProperties {
        ImageProperties(
            format: .jpeg, pixelSize: orientation.apply(to: size), orientation: orientation,
            bitsPerChannel: bitsPerChannel, iccProfileName: profile?.name)
    }
}
