import FoundationEssentials

/// A file any part of which is decoded by one method, which makes its rows and its regions alike.
public protocol PartImageFile: RegionImageFile {
    /// Decodes a part of the picture without the rest, as ``ImageDecodeOptions/image(of:animation:fillRow:)`` does: in the
    /// size that the options ask for, upright if they apply the orientation, and to their receiver of rows.
    ///
    /// - Parameter part: Stored pixels of the whole picture.
    /// - Throws: As ``ImageCoder/decode(_:options:)``.
    func decode(_ part: PixelRegion, options: ImageDecodeOptions) throws(WebImageError) -> Image
}

extension PartImageFile {
    /// Decodes all of the picture.
    public func readRows(
        reducedBy reduction: Int, into receiver: any PixelRowReceiver, cancellation: CancellationFlag
    ) throws(WebImageError) {
        var options = ImageDecodeOptions.forRows(in: colorSpace, cancellation: cancellation)
        options.stretch(to: storedSize.reduced(by: reduction))
        options.rowReceiver = receiver
        _ = try decode(PixelRegion(storedSize), options: options)
    }

    /// True: a part needs no preparation.
    public func prepareRegions(
        kept: Data?, cancellation: CancellationFlag, progress: @Sendable () -> Void
    ) throws(WebImageError) -> Bool { true }

    /// True.
    public func isReady(_ region: PixelRegion, reduction: Int) -> Bool { true }

    /// Decodes the part that each region shows.
    public func decode(
        _ regions: [PixelRegion], reduction: Int, cancellation: CancellationFlag, each: (Int, Bitmap) -> Void
    ) throws(WebImageError) {
        var options = ImageDecodeOptions.forRows(in: colorSpace, cancellation: cancellation)
        options.appliesOrientation = true
        for (place, region) in regions.enumerated() {
            options.stretch(to: orientation.apply(to: region.size))
            let part = region.enlarged(by: reduction).clamped(to: storedSize)
            each(place, try decode(part, options: options).bitmap)
        }
    }
}

extension ImageDecodeOptions {
    fileprivate mutating func stretch(to size: PixelSize) {
        thumbnailPixelSize = size
        preservesAspectRatio = false
    }
}
