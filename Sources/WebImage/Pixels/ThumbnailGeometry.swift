/// From the size in a file's header and the options to the size of the result.
///
/// The box of a thumbnail is compared with the picture as a person sees it: for one that lies on its side the stored
/// width is limited by the box's height.
package struct ThumbnailGeometry: Sendable, Hashable {
    /// The whole picture as the file stores it.
    package let storedSourceSize: PixelSize
    /// How stored pixels must be turned; `.up` where the options leave the orientation alone.
    package let orientation: ImageOrientation
    /// The size of the result, as seen.
    package let outputSize: PixelSize

    /// - Parameters:
    ///   - storedSourceSize: Columns and rows of the file's pixels.
    ///   - orientation: What the file says of its orientation, applied or not.
    ///   - frameCount: Frames in the file, which share the bytes that the options allow.
    ///   - mayEnlarge: For pictures that are drawn from shapes, which are as sharp in any box.
    package init(
        storedSourceSize: PixelSize, orientation: ImageOrientation, frameCount: Int = 1, mayEnlarge: Bool = false,
        options: ImageDecodeOptions
    ) {
        self.storedSourceSize = storedSourceSize
        self.orientation = options.appliesOrientation ? orientation : .up
        let size = self.orientation.apply(to: storedSourceSize)
        let pixelCount = Self.pixelCount(frames: options.decodesFirstFrameOnly ? 1 : max(1, frameCount), options)
        let limited = size.scaledDown(toPixelCount: pixelCount)
        if limited != size {
            outputSize = limited
        } else {
            outputSize = Self.scale(size, by: options, mayEnlarge: mayEnlarge).scaledDown(toPixelCount: pixelCount)
        }
    }

    /// The pixels that each frame may have.
    private static func pixelCount(frames: Int, _ options: ImageDecodeOptions) -> Int {
        guard options.scaleDownLimitBytes > 0 else { return .max }
        // Whether the file's colours are of high dynamic range, which takes 16 bits a channel, is not known yet.
        let format = options.decodesToHDR ? options.pixelFormat.with(.sixteen) : options.pixelFormat
        return options.scaleDownLimitBytes / format.bytesPerPixel / frames
    }

    /// The whole picture as seen.
    package var sourceSize: PixelSize { orientation.apply(to: storedSourceSize) }

    /// The size of the result before it is turned: what a decoder that scales should aim at.
    package var storedOutputSize: PixelSize { orientation.apply(to: outputSize) }

    /// Whether the result is smaller than the picture.
    package var isThumbnail: Bool { outputSize != sourceSize }

    /// A strip is scaled to cover a box as long as it is not longer than so many of them.
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
        // A box without end enlarges to a size that no limit allows, and that no number overflows in.
        let bounded = min(scale, 0x1p31 / Double(max(size.width, size.height)))
        return PixelSize(
            width: max(1, Int((Double(size.width) * bounded).rounded())),
            height: max(1, Int((Double(size.height) * bounded).rounded())))
    }
}
