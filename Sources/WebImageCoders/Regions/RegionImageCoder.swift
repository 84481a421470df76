import FoundationEssentials
import WebImageCore

/// A coder that decodes parts of a large file without the rest.
package protocol RegionImageCoder: ImageCoder {
    /// Reads the file's header.
    ///
    /// - Parameter colorSpace: The colours of rows and regions: sRGB, or Display P3 for a file that is known to have
    ///   colours outside of sRGB.
    /// - Returns: nil for a file whose parts cannot be decoded by themselves.
    func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)?
}

/// An open file of a large picture. Any thread, several at once.
///
/// It has two ways to its pixels: a reading of all rows from the top down, and regions. The reading may be reduced, where
/// that costs less than all pixels do; regions are for what is finer.
package protocol RegionImageFile: Sendable {
    var format: ImageFormat { get }
    /// Columns and rows as stored.
    var storedSize: PixelSize { get }
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
    package var decodesWholeRows: Bool { true }
    package var keptIndex: Data? { nil }

    package func prepareRegions(
        kept: Data?, cancellation: CancellationFlag, progress: @Sendable () -> Void
    ) throws(WebImageError) -> Bool { false }

    package func isReady(_ region: PixelRegion, reduction: Int) -> Bool { false }

    package func decode(
        _ regions: [PixelRegion], reduction: Int, cancellation: CancellationFlag, each: (Int, Bitmap) -> Void
    ) throws(WebImageError) {}
}

extension RegionImageFile {
    package var baseSide: Int { ImageDecodeOptions.baseSide }

    /// The upright size of the whole picture.
    package var pixelSize: PixelSize { orientation.apply(to: storedSize) }
}

extension ImageDecodeOptions {
    /// The largest side of the base of a large picture.
    package static var baseSide: Int { 2048 }

    /// The options with which large pictures are decoded: in the colours in which they are drawn, and at the size and
    /// orientation in which they are stored.
    package static func forRows(in colorSpace: ColorSpace, cancellation: CancellationFlag) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.decodesToWideGamut = colorSpace == .displayP3
        options.appliesOrientation = false
        options.decodesFirstFrameOnly = true
        options.cancellation = cancellation
        return options
    }
}

extension ImageCodersManager {
    /// The picture in a file, by the coder that recognises its beginning.
    ///
    /// - Parameter colorSpace: See ``RegionImageCoder/openRegions(of:limits:in:)``.
    /// - Throws: ``WebImageError/Code/badImageData`` when none does, and the coder's errors.
    package func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> any RegionImageFile {
        let head = Data(try file.checkedBytes(at: 0, count: Self.longestHead))
        guard let coder = decoder(for: head) else {
            var options = ImageDecodeOptions()
            options.limits = limits
            _ = try decode(head, options: options)
            throw .unsupported(.undefined, "no coder recognises it")
        }
        if let regions = coder as? any RegionImageCoder,
            let opened = try regions.openRegions(of: file, limits: limits, in: colorSpace)
        {
            return opened
        }
        return try WholeImageFile(
            file, coder: coder, format: ImageFormat(sniffing: head), limits: limits, in: colorSpace)
    }
}

extension RandomAccessFile {
    /// The same for coders.
    package func checkedBytes(at offset: Int, count: Int) throws(WebImageError) -> [UInt8] {
        do {
            return try bytes(at: offset, count: count)
        } catch {
            throw error.webImageError(stage: .decode)
        }
    }
}
