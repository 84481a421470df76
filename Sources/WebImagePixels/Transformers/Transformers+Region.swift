import WebImageCore

// The transformers whose beginning a decode can do by itself.

extension ImageResizingTransformer {
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

extension ImageCroppingTransformer {
    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? {
        rectangle.pixels(in: size, scale: scale).map { .cropped(columns: $0.columns, rows: $0.rows) }
    }

    package var afterRegion: any ImageTransformer { DisabledImageTransformer() }
}

extension AspectCroppingTransformer {
    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? {
        size.part(ofAspectRatio: aspectRatio, around: focus).map { .cropped(columns: $0.columns, rows: $0.rows) }
    }

    package var afterRegion: any ImageTransformer { DisabledImageTransformer() }
}

extension ImagePipelineTransformer {
    private var first: (any LibraryTransformer)? { transformers.first?.described }

    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? { first?.region(of: size, scale: scale) }

    package var afterRegion: any ImageTransformer {
        ImagePipelineTransformer([first?.afterRegion].compactMap(\.self) + transformers.dropFirst())
    }
}
