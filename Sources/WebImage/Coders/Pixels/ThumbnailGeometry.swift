/// From the size in a file's header and the options to the size of the result.
///
/// The box of a thumbnail is compared with the picture as a person sees it: for one that lies on its side the stored
/// width is limited by the box's height.
struct ThumbnailGeometry: Sendable, Hashable {
    /// The whole picture as the file stores it.
    let storedSourceSize: PixelSize
    /// How stored pixels must be turned; `.up` where the options leave the orientation alone.
    let orientation: ImageOrientation
    /// The size of the result, as seen.
    let outputSize: PixelSize

    /// - Parameters:
    ///   - storedSourceSize: Columns and rows of the file's pixels.
    ///   - orientation: What the file says of its orientation, applied or not.
    ///   - frameCount: Frames in the file, which share the bytes that the options allow.
    init(
        storedSourceSize: PixelSize, orientation: ImageOrientation, frameCount: Int = 1, options: ImageDecodeOptions
    ) {
        self.storedSourceSize = storedSourceSize
        self.orientation = options.appliesOrientation ? orientation : .up
        let size = self.orientation.apply(to: storedSourceSize)
        if options.scaleDownLimitBytes > 0 {
            let frames = options.decodesFirstFrameOnly ? 1 : max(1, frameCount)
            let pixelCount = options.scaleDownLimitBytes / options.pixelFormat.bytesPerPixel / frames
            outputSize = size.scaledDown(toPixelCount: pixelCount)
        } else {
            outputSize = Self.fit(
                size, into: options.thumbnailPixelSize, preservingAspectRatio: options.preservesAspectRatio)
        }
    }

    /// The whole picture as seen.
    var sourceSize: PixelSize { orientation.apply(to: storedSourceSize) }

    /// The size of the result before it is turned: what a decoder that scales should aim at.
    var storedOutputSize: PixelSize { orientation.apply(to: outputSize) }

    /// Whether the result is smaller than the picture.
    var isThumbnail: Bool { outputSize != sourceSize }

    private static func fit(
        _ size: PixelSize, into box: PixelSize?, preservingAspectRatio: Bool
    ) -> PixelSize {
        guard let box, !box.isEmpty, !size.isEmpty, size.width > box.width || size.height > box.height else {
            return size
        }
        guard preservingAspectRatio else {
            return PixelSize(width: min(box.width, size.width), height: min(box.height, size.height))
        }
        let scale = min(Double(box.width) / Double(size.width), Double(box.height) / Double(size.height))
        return PixelSize(
            width: max(1, Int((Double(size.width) * scale).rounded())),
            height: max(1, Int((Double(size.height) * scale).rounded())))
    }
}
