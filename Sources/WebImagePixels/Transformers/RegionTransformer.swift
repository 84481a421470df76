import WebImageCore

/// A transformer whose beginning a decode can do by itself, without memory for the whole picture.
package protocol RegionTransformer: ImageTransformer {
    /// The part of a picture of `size` that the decode makes; nil if the decode cannot help.
    func region(of size: PixelSize, scale: Double) -> DecodeRegion?
    /// The rest of the work, for the decoded region.
    var afterRegion: any ImageTransformer { get }
}

extension ImageResizingTransformer: RegionTransformer {
    package func region(of source: PixelSize, scale: Double) -> DecodeRegion? {
        guard !isInLinearLight,
            let placed = ResizeGeometry(source: source, size: size, scale: scale, mode: scaleMode)?.placed,
            placed != source, placed.width <= source.width, placed.height <= source.height
        else { return nil }
        return .resized(placed, filter)
    }

    /// Cuts and margins: of a picture that has the right size, nothing is resized again.
    package var afterRegion: any ImageTransformer { self }
}

extension ImageCroppingTransformer: RegionTransformer {
    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? {
        rectangle.pixels(in: size, scale: scale).map { .cropped(columns: $0.columns, rows: $0.rows) }
    }

    package var afterRegion: any ImageTransformer { DisabledImageTransformer() }
}

extension AspectCroppingTransformer: RegionTransformer {
    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? {
        size.part(ofAspectRatio: aspectRatio, around: focus).map { .cropped(columns: $0.columns, rows: $0.rows) }
    }

    package var afterRegion: any ImageTransformer { DisabledImageTransformer() }
}

extension ImagePipelineTransformer: RegionTransformer {
    private var first: (any RegionTransformer)? { transformers.first as? any RegionTransformer }

    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? { first?.region(of: size, scale: scale) }

    package var afterRegion: any ImageTransformer {
        ImagePipelineTransformer([first?.afterRegion].compactMap(\.self) + transformers.dropFirst())
    }
}

extension BuiltInTransformer: RegionTransformer {
    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? {
        (base as? any RegionTransformer)?.region(of: size, scale: scale)
    }

    package var afterRegion: any ImageTransformer { (base as? any RegionTransformer)?.afterRegion ?? self }
}
