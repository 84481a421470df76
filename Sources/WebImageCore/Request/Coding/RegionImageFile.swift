import FoundationEssentials

/// An open file of a large picture, for ``TiledImage``. Any thread, several at once. Where one method decodes any part of
/// the file, ``PartImageFile`` does the rest.
///
/// It has two ways to its pixels: a reading of all rows from the top down, and regions. The reading may be reduced, where
/// that costs less than all pixels do; regions are for what is finer.
public protocol RegionImageFile: Sendable {
    /// The format of the file.
    var format: ImageFormat { get }
    /// Columns and rows as stored.
    var storedSize: PixelSize { get }
    /// How stored pixels are turned to be upright.
    var orientation: ImageOrientation { get }
    /// The colours of rows and regions.
    var colorSpace: ColorSpace { get }
    /// The largest side of a base in pixels; 2,048 by default.
    var baseSide: Int { get }
    /// The reduction of the rows that the base is made of: a power of two.
    var rowReduction: Int { get }
    /// Whether a region costs as much as all the rows that it has a part of, so that neighbours are decoded together.
    var decodesWholeRows: Bool { get }

    /// Decodes the whole picture, as stored, in premultiplied pixels of 8 bits.
    ///
    /// - Parameter reduction: 1 or ``rowReduction``.
    func readRows(
        reducedBy reduction: Int, into receiver: any PixelRowReceiver, cancellation: CancellationFlag
    ) throws(WebImageError)

    /// Makes what regions need: reads the file once, unless `kept` has it from an earlier reading of the same file.
    ///
    /// - Parameter progress: Called whenever more regions are ready.
    /// - Returns: False where the file turns out to have no regions.
    func prepareRegions(
        kept: Data?, cancellation: CancellationFlag, progress: @Sendable () -> Void
    ) throws(WebImageError) -> Bool

    /// The index to keep for the next visit; nil before the preparation ends, and for one that is not worth it.
    var keptIndex: Data? { get }

    /// Whether a region can be decoded now.
    ///
    /// - Parameter region: Stored pixels of the reduced picture.
    func isReady(_ region: PixelRegion, reduction: Int) -> Bool

    /// Decodes regions that share their rows, upright, in premultiplied pixels of 8 bits.
    ///
    /// - Parameters:
    ///   - regions: Stored pixels of the reduced picture, within it.
    ///   - reduction: A power of two below ``rowReduction``.
    ///   - each: Gets each bitmap with its place in `regions`.
    func decode(
        _ regions: [PixelRegion], reduction: Int, cancellation: CancellationFlag,
        each: (Int, Bitmap) -> Void
    ) throws(WebImageError)
}

// A file is read by its rows alone, unless it says otherwise.
extension RegionImageFile {
    /// True.
    public var decodesWholeRows: Bool { true }
    /// Nil.
    public var keptIndex: Data? { nil }

    /// False: there are no regions.
    public func prepareRegions(
        kept: Data?, cancellation: CancellationFlag, progress: @Sendable () -> Void
    ) throws(WebImageError) -> Bool { false }

    /// False.
    public func isReady(_ region: PixelRegion, reduction: Int) -> Bool { false }

    /// Does nothing: no region is ready.
    public func decode(
        _ regions: [PixelRegion], reduction: Int, cancellation: CancellationFlag, each: (Int, Bitmap) -> Void
    ) throws(WebImageError) {}
}

extension RegionImageFile {
    /// 2,048.
    public var baseSide: Int { ImageDecodeOptions.baseSide }

    /// The upright size of the whole picture.
    package var pixelSize: PixelSize { orientation.apply(to: storedSize) }
}

extension ImageDecodeOptions {
    /// The largest side of the base of a large picture.
    package static var baseSide: Int { 2048 }

    /// The options with which large pictures are decoded: in the colours in which they are drawn, and at the size and
    /// orientation in which they are stored.
    public static func forRows(in colorSpace: ColorSpace, cancellation: CancellationFlag) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.decodesToWideGamut = colorSpace == .displayP3
        options.appliesOrientation = false
        options.decodesFirstFrameOnly = true
        options.cancellation = cancellation
        return options
    }
}
