import WebImageCore

// Transformers that keep the size; what else they refuse, such as a radius that is NaN, they refuse at once.

extension DisabledImageTransformer: ForecastingTransformer {}
extension ImageFlippingTransformer: ForecastingTransformer {}
extension ImageBlurTransformer: ForecastingTransformer {}
extension ImageConvolutionTransformer: ForecastingTransformer {}
extension ImageSharpeningTransformer: ForecastingTransformer {}
extension ImageFilterTransformer: ForecastingTransformer {}
extension ImageTintTransformer: ForecastingTransformer {}
extension ImageOverlayTransformer: ForecastingTransformer {}
extension ImageRoundCornerTransformer: ForecastingTransformer {}

// Transformers that change the size.

extension ImageResizingTransformer: ForecastingTransformer {
    func forecast(for source: PixelSize, scale: Double) -> SizeForecast {
        if let geometry = ResizeGeometry(source: source, size: size, scale: scale, mode: scaleMode) {
            return .size(geometry.canvas)
        }
        return .impossible(size.width > 0 && size.height > 0 ? .tooLarge : .invalidNumber)
    }
}

extension ImageCroppingTransformer: ForecastingTransformer {
    func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        rectangle.pixels(in: size, scale: scale).map { .size($0.size) } ?? .impossible(.nothingLeft)
    }
}

extension AspectCroppingTransformer: ForecastingTransformer {
    func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        size.part(ofAspectRatio: aspectRatio, around: focus).map { .size($0.size) } ?? .impossible(.invalidNumber)
    }
}

extension ImageCircleTransformer: ForecastingTransformer {
    func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        let side = min(size.width, size.height)
        return .size(PixelSize(width: side, height: side))
    }
}

extension ImageRotationTransformer: ForecastingTransformer {
    func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        guard angle.isFinite else { return .impossible(.invalidNumber) }
        let geometry = RotationGeometry(source: size, angle: angle, fitsSize: fitsSize)
        return geometry.map { .size($0.canvas) } ?? .impossible(.tooLarge)
    }
}

extension ImagePaddingTransformer: ForecastingTransformer {
    func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        if let canvas = insets.canvas(around: size, scale: scale) { return .size(canvas.size) }
        return .impossible(insets.numbers.allSatisfy { $0 >= 0 } ? .tooLarge : .invalidNumber)
    }
}

// Transformers of transformers.

extension BuiltInTransformer: ForecastingTransformer {
    func forecast(for size: PixelSize, scale: Double) -> SizeForecast { base.forecastedSize(for: size, scale: scale) }
}

extension ImagePipelineTransformer: ForecastingTransformer {
    /// Ends at the first step whose size is not known.
    func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        transformers.reduce(.size(size)) { forecast, next in
            if case .size(let size) = forecast { next.forecastedSize(for: size, scale: scale) } else { forecast }
        }
    }
}
