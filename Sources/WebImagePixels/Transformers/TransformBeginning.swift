import WebImageCore

/// The beginning of a transform that a decode does by itself, and the rest.
package struct TransformBeginning: Sendable {
    /// For the decode's options.
    package let region: DecodeRegion
    /// For the decoded region.
    package let rest: any ImageTransformer

    /// Smaller pictures take little memory, and two loads of one share its decode.
    private static let leastPixelCount = 1 << 20

    /// Nil where the decode cannot help: for other operations, small pictures, animations, coders that do not decode rows, and
    /// options that ask for other pixels.
    package init?(
        of transformer: any ImageTransformer, on picture: ImageProperties, by coder: any ImageCoder,
        options: ImageDecodeOptions
    ) {
        guard options.decodesWholePicture, coder.decodesRows(of: picture.format), picture.frameCount == 1,
            picture.pixelSize.area >= Self.leastPixelCount,
            let transformer = transformer.described,
            let region = transformer.region(of: picture.pixelSize, scale: options.scaleFactor ?? 1),
            region.isCrop || !picture.hasAlpha || options.pixelFormat.isPremultiplied
        else { return nil }
        self.region = region
        rest = transformer.afterRegion
    }

    /// The part of a transform that a decode has done; nil for a whole picture.
    ///
    /// - Parameters:
    ///   - image: The decoded picture, with the metadata of its file.
    ///   - scale: The pixels of a point.
    package init?(of transformer: any ImageTransformer, doneIn image: Image, scale: Double) {
        guard !image.metadata.isThumbnail || image.decodeOptions?.region != nil,
            let whole = image.metadata.originalPixelSize, image.pixelSize != whole,
            let transformer = transformer.described,
            let region = transformer.region(of: whole, scale: scale), region.size == image.pixelSize
        else { return nil }
        self.region = region
        rest = transformer.afterRegion
    }

    /// Whether a picture is the region: a coder of an app's own decodes the whole picture.
    package func isMade(of image: Image) -> Bool { image.pixelSize == region.size }
}

extension ImageDecodeOptions {
    /// Whether the result is the file's first picture as a person sees it, in its size.
    package var decodesWholePicture: Bool {
        thumbnailPixelSize == nil && scaleDownLimitBytes == nil && !decodesPreview && !decodesToHDR
            && appliesOrientation
            && pageIndex == 0
    }
}
