import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// SVG by librsvg, also compressed by gzip, drawn at exactly the requested size.
///
/// Without a box the size is the document's own: its width and height, or what its view box makes of one of them or of
/// none, at 96 pixels an inch. A box may enlarge it. Nothing is loaded but pictures in `data:` URLs: JPEG, PNG, GIF, WebP, and
/// SVG. Any other one is left out, with a warning through ``WebImageLog`` for each document.
///
/// librsvg cannot be interrupted, takes as much memory as a document makes it take, and ends the process on some documents.
/// Within the app's process that is for pictures that are trusted: the limits of time and memory do not hold within
/// librsvg there, and a cancellation is seen before and after. Those of strangers belong in a process of their own, which the
/// kernel limits (``ImageCodersManager/isolation``).
///
/// ```swift
/// ImageCodersManager.shared.add(.svg)
/// ```
public struct SVGCoder: ImageCoder, BundledCoder, Hashable {
    /// A coder without state.
    package init() {}

    /// Whether the bytes are XML whose first element is `svg`, or a gzip file; no other picture format is compressed
    /// so.
    public func canDecode(_ data: Data) -> Bool {
        SVGFile.isCompressed(data) || ImageFormat(sniffing: data) == .svg
    }

    /// Whether the bytes are those of a drawing: a document of few bytes may take long.
    public func isUninterruptible(for data: Data) -> Bool { canDecode(data) }

    /// Whether `format` is SVG.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .svg }

    /// The document's own size; needs the whole file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The same within the limits of `options`.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        guard isComplete else { return nil }
        return try SVGSource(data, options: options).withDocument { document throws(WebImageError) in
            ImageProperties(format: .svg, pixelSize: try pixelSize(of: document.intrinsicSize), hasAlpha: true)
        }
    }

    /// Draws the document on a transparent background; see ``ImageCoder/decode(_:options:)``.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try options.checkCancellation()
        let source = try SVGSource(data, options: options)
        let image = try source.withDocument { document throws(WebImageError) in
            try draw(document, options: options)
        }
        SVGOmissionLog.shared.warn(of: source.omissions, in: data)
        return image
    }
}

extension SVGCoder {
    private func draw(
        _ document: borrowing SVGDocument, options: ImageDecodeOptions
    ) throws(WebImageError) -> Image {
        let intrinsic = document.intrinsicSize
        let own = try pixelSize(of: intrinsic)
        return try VectorCanvas.image(of: .svg, size: own, options: options) {
            rows, bytesPerRow, size throws(WebImageError) in
            // At its own size it is not stretched to whole pixels, which would blur all edges.
            let scaled = size == own ? intrinsic.size : (Double(size.width), Double(size.height))
            try document.draw(on: rows, bytesPerRow: bytesPerRow, size: size, scaledTo: scaled)
        }
    }

    private func pixelSize(of size: SVGIntrinsicSize) throws(WebImageError) -> PixelSize {
        guard let size = size.pixelSize else {
            throw .damaged(.svg, "its width or height is not a positive number")
        }
        return size
    }
}

extension ImageCoder where Self == SVGCoder {
    /// SVG by librsvg, drawn at exactly the requested size; add it to ``WebImage/ImageCodersManager``.
    ///
    /// In the app's process it is for pictures that are trusted: the limits of time and memory do not hold within librsvg,
    /// which ends the process on some documents. Those of strangers belong in processes of their own
    /// (``WebImage/ImageCodersManager/isolation``).
    public static var svg: SVGCoder { SVGCoder() }
}
