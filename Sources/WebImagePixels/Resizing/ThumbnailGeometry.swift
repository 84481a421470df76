import WebImageCore

/// The size of the result, from the size in a file's header and the options.
///
/// A thumbnail's box is compared with the upright picture: for a rotated one, the box's height limits the stored width.
package struct ThumbnailGeometry: Sendable, Hashable {
    /// The size of the whole picture as stored.
    package let storedSourceSize: PixelSize
    /// The orientation to apply to stored pixels; `.up` where the options keep the stored orientation.
    package let orientation: ImageOrientation
    /// The size of the upright picture after it is scaled.
    package let outputSize: PixelSize
    /// The part that a transform needs; nil for all.
    private let region: DecodeRegion?

    /// - Parameters:
    ///   - storedSourceSize: Columns and rows of the file's pixels.
    ///   - orientation: The file's orientation, applied or not.
    ///   - frameCount: The number of frames in the file, which share the byte limit of the options.
    ///   - mayEnlarge: For vector graphics, which are sharp at every size.
    package init(
        storedSourceSize: PixelSize, orientation: ImageOrientation, frameCount: Int = 1, mayEnlarge: Bool = false,
        options: ImageDecodeOptions
    ) {
        self.storedSourceSize = storedSourceSize
        self.orientation = options.appliesOrientation ? orientation : .up
        region = options.region
        let size = self.orientation.apply(to: storedSourceSize)
        if case .resized(let target, _) = options.region {
            outputSize = target
            return
        }
        let pixelCount = Self.pixelCount(frames: options.decodesFirstFrameOnly ? 1 : max(1, frameCount), options)
        let limited = size.scaledDown(toPixelCount: pixelCount)
        if limited != size {
            outputSize = limited
        } else {
            outputSize = Self.scale(size, by: options, mayEnlarge: mayEnlarge).scaledDown(toPixelCount: pixelCount)
        }
    }

    /// The maximum number of pixels per frame.
    private static func pixelCount(frames: Int, _ options: ImageDecodeOptions) -> Int {
        guard let limit = options.scaleDownLimitBytes else { return .max }
        // Whether the file has high dynamic range, with 16 bits a channel, is not known yet.
        let format = options.decodesToHDR ? options.pixelFormat.with(.sixteen) : options.pixelFormat
        return max(0, limit) / format.bytesPerPixel / frames
    }

    /// The upright size of the whole picture.
    package var sourceSize: PixelSize { orientation.apply(to: storedSourceSize) }

    /// The size of the result before its orientation is applied: the target for a decoder that scales.
    package var storedOutputSize: PixelSize { orientation.apply(to: outputSize) }

    /// The size before the orientation is applied to which a decoder may scale by itself: the whole, where a region needs
    /// exact pixels.
    package var storedReductionTarget: PixelSize { region == nil ? storedOutputSize : storedSourceSize }

    /// The size of the upright result: ``outputSize``, or that of the part.
    package var resultSize: PixelSize {
        guard case .cropped(let columns, let rows) = region else { return outputSize }
        return PixelSize(width: columns.count, height: rows.count)
    }

    /// The filter that a region asks for.
    var exactFilter: ResamplingFilter? {
        if case .resized(_, let filter) = region { filter } else { nil }
    }

    /// The stored columns and rows of the part; nil for all.
    var storedPart: StreamResampler.Part? {
        guard case .cropped(let columns, let rows) = region else { return nil }
        let part = PixelRegion(columns: columns, rows: rows).stored(in: sourceSize, orientation)
        return StreamResampler.Part(columns: part.columns, rows: part.rows)
    }

    /// Whether the result is smaller than the picture.
    package var isThumbnail: Bool { outputSize != sourceSize }

    /// The length of a strip, in boxes, up to which it is scaled to cover the box.
    private static let longestOverhang = 16.0

    private static func scale(_ size: PixelSize, by options: ImageDecodeOptions, mayEnlarge: Bool) -> PixelSize {
        guard let box = options.thumbnailPixelSize, !box.isEmpty, !size.isEmpty else { return size }
        guard options.preservesAspectRatio else {
            if mayEnlarge { return box }
            return PixelSize(width: min(box.width, size.width), height: min(box.height, size.height))
        }
        let (across, down) = (Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
        let fitting = min(across, down)
        let scale = options.coversThumbnailBox ? min(max(across, down), longestOverhang * fitting) : fitting
        guard mayEnlarge || scale < 1 else { return size }
        // An infinite box gives a size above every limit, without overflow.
        let bounded = min(scale, 0x1p31 / Double(max(size.width, size.height)))
        return PixelSize(
            width: max(1, Int((Double(size.width) * bounded).rounded())),
            height: max(1, Int((Double(size.height) * bounded).rounded())))
    }
}
