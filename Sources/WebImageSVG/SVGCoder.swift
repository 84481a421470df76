import FoundationEssentials
import WebImage

/// SVG by librsvg, also compressed by gzip, drawn at exactly the requested size.
///
/// Without a box the size is the document's own: its width and height, or what its view box makes of one of them or of
/// none, at 96 pixels an inch. A box may enlarge it. Nothing is loaded but JPEG, PNG, GIF and WebP pictures in `data:` URLs;
/// what else stands in one is left out, with a warning through ``WebImageLog`` for each document. librsvg cannot be
/// interrupted, so that the limits on elements are checked before it gets the file, and a cancellation is seen before and
/// after.
///
/// ```swift
/// ImageCodersManager.shared.add(.svg)
/// ```
package struct SVGCoder: BundledCoder, UninterruptibleCoder {
    /// A coder without state.
    package init() {}

    /// Whether the bytes are XML whose first element is `svg`, or a gzip file; no other picture format is compressed
    /// so.
    package func canDecode(_ data: Data) -> Bool {
        SVGFile.isCompressed(data) || ImageFormat(sniffing: data) == .svg
    }

    /// Whether `format` is SVG.
    package func canDecode(_ format: ImageFormat) -> Bool { format == .svg }

    /// The document's own size; needs the whole file.
    package func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The same within the limits of `options`.
    package func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        guard isComplete else { return nil }
        return try SVGSource(data, options: options).withDocument { document throws(WebImageError) in
            ImageProperties(format: .svg, pixelSize: try size(of: document), hasAlpha: true)
        }
    }

    /// Draws the document on a transparent background; see ``ImageCoder/decode(_:options:)``.
    package func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try options.checkCancellation()
        let source = try SVGSource(data, options: options)
        let image = try source.withDocument { document throws(WebImageError) in
            try draw(document, source.work, options: options)
        }
        SVGOmissionLog.shared.warn(of: source.omissions, in: data)
        return image
    }
}

extension SVGCoder {
    private func draw(
        _ document: borrowing SVGDocument, _ work: SVGWork, options: ImageDecodeOptions
    ) throws(WebImageError) -> Image {
        try VectorCanvas.image(
            of: .svg, size: try size(of: document), options: options,
            check: { geometry throws(WebImageError) in try work.check(options.limits, geometry) }
        ) { rows, bytesPerRow, size throws(WebImageError) in
            try document.draw(on: rows, bytesPerRow: bytesPerRow, size: size)
        }
    }

    private func size(of document: borrowing SVGDocument) throws(WebImageError) -> PixelSize {
        guard let size = document.intrinsicSize.pixelSize else {
            throw .damaged(.svg, "its width or height is not a positive number")
        }
        return size
    }
}
