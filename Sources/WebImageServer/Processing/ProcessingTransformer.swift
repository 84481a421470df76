import WebImage
import WebImageCore
import WebImagePixels

/// The work that the options of an address ask for, on the pixels of its source: in the order of ``ResultGeometry``, then
/// blur, sharpening, squares, extent, padding, background and watermark.
struct ProcessingTransformer: ImageTransformer {
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
        guard let source = turned(image).flatMap(flipped).flatMap(trimmed) else { return nil }
        let geometry = geometry(of: source.pixelSize, isVector: image.metadata.isVector)
        guard cancellation?.isCancelled != true,
            let resized = cropped(source, geometry).flatMap({ resized($0, to: geometry.scaled) })
        else { return nil }
        return finish(resized, geometry, cancellation)
    }

    /// The work on a picture that has been resized.
    private func finish(_ image: Image, _ geometry: ResultGeometry, _ cancellation: CancellationFlag?) -> Image? {
        let steps: [(Image) -> Image?] = [
            { cut($0, geometry) }, { filtered($0, geometry.scale, cancellation) }, { extended($0, geometry) },
            { padded($0, geometry) }, flattened, { marked($0, geometry.scale) },
        ]
        return steps.reduce(image) { (picture: Image?, step) in
            cancellation?.isCancelled == true ? nil : picture.flatMap(step)
        }
    }

    private func geometry(of size: PixelSize, isVector: Bool = false) -> ResultGeometry {
        ResultGeometry(options, of: size, isVector: isVector)
    }
}

// MARK: - Decodes to size

extension ProcessingTransformer {
    /// The size to decode a picture to, where that is all of the work up to its resizing; nil where the work needs all pixels.
    func decodeSize(of size: PixelSize) -> PixelSize? {
        guard options.quarterTurns == 0, options.trim == nil else { return nil }
        let geometry = geometry(of: size)
        let scaled = geometry.scaled
        guard geometry.crop == size, scaled != size, scaled.width <= size.width, scaled.height <= size.height else {
            return nil
        }
        return scaled
    }

    /// The largest size that the picture has on its way, at most: a margin that is trimmed may make it smaller.
    func largestSize(_ source: ImageProperties) -> PixelSize {
        let isVector = [.svg, .pdf].contains(source.format)
        let geometry = geometry(of: turned(source.pixelSize), isVector: isVector)
        let result = geometry.resultSize(options.padding)
        return result.area > geometry.scaled.area ? result : geometry.scaled
    }

    /// The rest of the work on a picture that was decoded to that size.
    func finish(_ image: Image, _ cancellation: CancellationFlag?) -> Image? {
        guard let size = image.metadata.originalPixelSize else { return nil }
        return flipped(image).flatMap { finish($0, geometry(of: size), cancellation) }
    }

    /// The transformer for the frames of an animation: all are cut at one place, and none is trimmed, so that they stay of one
    /// size.
    ///
    /// - Parameters:
    ///   - image: The first frame.
    ///   - isReduced: Whether it was decoded to ``decodeSize(of:)``.
    func settled(on image: Image, isReduced: Bool) -> ProcessingTransformer {
        var options = options
        options.trim = nil
        if options.gravity.anchor == .smart {
            let whole = (isReduced ? image.metadata.originalPixelSize : nil) ?? image.pixelSize
            let geometry = ResultGeometry(options, of: whole)
            let corner = InterestingPart(of: image, size: geometry.cut).corner
            options.gravity = Gravity(
                anchor: .focus(
                    x: (Double(corner.x) + Double(geometry.cut.width) / 2) / Double(image.pixelSize.width),
                    y: (Double(corner.y) + Double(geometry.cut.height) / 2) / Double(image.pixelSize.height)))
        }
        return ProcessingTransformer(options, watermark: watermark)
    }
}
