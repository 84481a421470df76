import WebImage
import WebImageCore
import WebImagePixels

/// The work that the options of an address ask for, on the pixels of its source: in the order of ``ResultGeometry``, then
/// blur, sharpening, squares, extent, padding, background and watermark.
struct ProcessingTransformer: LibraryTransformer {
    let options: ProcessingOptions
    /// The picture that ``ProcessingOptions/watermark`` places; nil for none.
    let watermark: Image?
    let transformerKey: String

    init(_ options: ProcessingOptions, watermark: Image? = nil) {
        self.options = options
        self.watermark = watermark
        transformerKey = options.pixelKey
    }

    func transform(_ image: Image, for key: CacheKey) -> Image? { transform(image, for: key, cancellation: nil) }

    /// Nil where there is no memory, a result would have too many pixels, or the load is cancelled.
    func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        guard let source = turned(image).flatMap(trimmed) else { return nil }
        let geometry = geometry(of: source.pixelSize, isVector: image.metadata.isVector)
        guard cancellation?.isCancelled != true,
            let resized = cropped(source, geometry).flatMap({ resized($0, to: geometry.scaled) })
        else { return nil }
        return finish(resized, geometry, cancellation)
    }

    /// The work on a picture that has been resized.
    fileprivate func finish(_ image: Image, _ geometry: ResultGeometry, _ cancellation: CancellationFlag?) -> Image? {
        let steps: [(Image) -> Image?] = [
            { cut($0, geometry) }, { filtered($0, geometry.scale, cancellation) }, { extended($0, geometry) },
            { padded($0, geometry) }, flattened, { marked($0, geometry.scale) },
        ]
        return steps.reduce(image) { (picture: Image?, step) in
            cancellation?.isCancelled == true ? nil : picture.flatMap(step)
        }
    }

    func forecast(for size: PixelSize, scale: Double) -> SizeForecast {
        guard options.trim == nil else { return .unknown }
        return .size(geometry(of: turned(size)).resultSize(options.padding))
    }

    private func geometry(of size: PixelSize, isVector: Bool = false) -> ResultGeometry {
        ResultGeometry(options, of: size, isVector: isVector)
    }
}

// MARK: - The beginning that a decode does

extension ProcessingTransformer {
    func region(of size: PixelSize, scale: Double) -> DecodeRegion? {
        guard options.quarterTurns == 0, options.trim == nil else { return nil }
        let geometry = geometry(of: size)
        guard geometry.crop == size else { return nil }
        let scaled = geometry.scaled
        guard scaled != size, scaled.width <= size.width, scaled.height <= size.height else { return nil }
        return .resized(scaled, .lanczos3)
    }

    /// Of a picture that has its size already.
    var afterRegion: any ImageTransformer { RestOfProcessing(whole: self) }
}

/// The rest of the work, once a decode has resized the picture.
private struct RestOfProcessing: ImageTransformer {
    let whole: ProcessingTransformer

    var transformerKey: String { whole.transformerKey }

    func transform(_ image: Image, for key: CacheKey) -> Image? { transform(image, for: key, cancellation: nil) }

    func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        guard let size = image.metadata.originalPixelSize else { return nil }
        return whole.finish(image, ResultGeometry(whole.options, of: size), cancellation)
    }
}
