import FoundationEssentials
import WebImage

/// SVG by librsvg, also compressed by gzip, drawn at exactly the requested size.
///
/// Without a requested box the size is the document's own: its width and height, or those that follow from its view box
/// where one or both are missing, at 96 pixels an inch. A box may enlarge it. Nothing is loaded but pictures in `data:`
/// URLs. librsvg cannot be interrupted, so the limits on elements are checked before librsvg gets the file, and
/// cancellation is checked before and after.
///
/// ```swift
/// ImageCodersManager.shared.add(SVGCoder())
/// ```
public struct SVGCoder: ImageCoder {
    /// A coder without state.
    public init() {}

    /// Whether the bytes are XML whose first element is `svg`, or a gzip file; no other picture format is compressed
    /// so.
    public func canDecode(_ data: Data) -> Bool {
        SVGFile.isCompressed(data) || ImageFormat(sniffing: data) == .svg
    }

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
        return try withDocument(data, options: options) { document, _ throws(WebImageError) in
            ImageProperties(format: .svg, pixelSize: try size(of: document), hasAlpha: true)
        }
    }

    /// Draws the document on a transparent background; see ``ImageCoder/decode(_:options:)``.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try options.checkCancellation()
        return try withDocument(data, options: options) { document, work throws(WebImageError) in
            let geometry = ThumbnailGeometry(
                storedSourceSize: try size(of: document), orientation: .up, mayEnlarge: true, options: options)
            let across = Double(geometry.outputSize.width) / Double(geometry.sourceSize.width)
            let down = Double(geometry.outputSize.height) / Double(geometry.sourceSize.height)
            let scale = max(across, down)
            try work.check(
                options.limits, size: geometry.outputSize, scale: scale, stretch: scale / min(across, down))
            let canvas = try VectorCanvas(size: geometry.outputSize, format: .svg, limits: options.limits)
            try options.checkCancellation()
            let bitmap = try canvas.draw(options: options) { rows, bytesPerRow throws(WebImageError) in
                try document.draw(on: rows, bytesPerRow: bytesPerRow, size: geometry.outputSize)
            }
            try options.checkCancellation()
            return geometry.makeVectorImage(bitmap, of: .svg, options: options)
        }
    }
}

extension SVGCoder {
    private func withDocument<Result>(
        _ data: Data, options: ImageDecodeOptions,
        _ body: (borrowing SVGDocument, SVGWork) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        let file = try SVGFile(data, limits: options.limits)
        let work = try file.markup.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            try checkedWork(of: bytes, options: options)
        }
        try options.checkCancellation()
        return try file.text.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            try body(try SVGDocument(bytes), work)
        }
    }

    /// Checks the document before librsvg, which trusts it, gets it.
    private func checkedWork(
        of bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions
    ) throws(WebImageError) -> SVGWork {
        let markup = try SVGMarkup(bytes, options: options)
        if markup.hidesElements {
            throw .damaged(
                .svg,
                "entities, escapes, defaults of attributes or data: URLs hide elements or references, which is not read"
            )
        }
        if markup.elements.contains(where: \.tag.isImpossible) {
            throw .damaged(.svg, "a filter asks for more than 32 octaves or a kernel of more than 1000 numbers")
        }
        if markup.elements.contains(where: \.tag.embedsOther) {
            throw .damaged(
                .svg, "a data: URL is not of a picture; JPEG, PNG, GIF and WebP are drawn, under one of their names")
        }
        let work = try SVGWork(markup, options: options)
        try work.check(options.limits)
        guard markup.isWhole else { throw .truncated(.svg) }
        return work
    }

    private func size(of document: borrowing SVGDocument) throws(WebImageError) -> PixelSize {
        guard let size = document.intrinsicSize.pixelSize else {
            throw .damaged(.svg, "its width or height is not a positive number")
        }
        return size
    }
}
