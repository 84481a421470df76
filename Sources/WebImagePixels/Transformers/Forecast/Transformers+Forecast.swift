import WebImageCore

// The transformers whose results have another size. What else one refuses, such as a radius that is NaN, it refuses at once.

extension ImageResizingTransformer {
    package func forecast(for source: PixelSize, scale: Double) -> SizeForecast {
        if let geometry = ResizeGeometry(source: source, size: size, scale: scale, mode: scaleMode) {
            return .size(geometry.canvas)
        }
        return .impossible(size.width > 0 && size.height > 0 ? .tooLarge : .invalidNumber)
    }
}

extension ImageCroppingTransformer {
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        rectangle.pixels(in: size, scale: scale).map { .size($0.size) } ?? .impossible(.nothingLeft)
    }
}

extension AspectCroppingTransformer {
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        size.part(ofAspectRatio: aspectRatio, around: focus).map { .size($0.size) } ?? .impossible(.invalidNumber)
    }
}

extension ImageCircleTransformer {
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        let side = min(size.width, size.height)
        return .size(PixelSize(width: side, height: side))
    }
}

extension ImageRotationTransformer {
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        guard angle.isFinite else { return .impossible(.invalidNumber) }
        let geometry = RotationGeometry(source: size, angle: angle, fitsSize: fitsSize)
        return geometry.map { .size($0.canvas) } ?? .impossible(.tooLarge)
    }
}

extension ImagePaddingTransformer {
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        if let canvas = insets.canvas(around: size, scale: scale) { return .size(canvas.size) }
        return .impossible(insets.numbers.allSatisfy { $0 >= 0 } ? .tooLarge : .invalidNumber)
    }
}

extension ImageTrimmingTransformer {
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast { .unknown }
}

extension ImagePipelineTransformer {
    /// Ends at the first step whose size is not known.
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        transformers.reduce(.size(size)) { forecast, next in
            if case .size(let size) = forecast { next.forecastedSize(for: size, scale: scale) } else { forecast }
        }
    }
}
