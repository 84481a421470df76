#if PDF
    import FoundationEssentials
    import WebImageCoders
    import WebImageCore
    import WebImagePixels

    /// A page of a PDF by poppler, drawn at exactly the requested size; ``ImageDecodeOptions/pageIndex`` selects the
    /// page. Available only with the package trait `PDF`, because poppler's licence is the GPL, which then applies to
    /// the program that links it.
    ///
    /// Without a requested box the size is the page's at 72 pixels an inch, one pixel per point. The page is its crop
    /// box, as in viewers, which defaults to the media box. A box may enlarge it. The background is transparent.
    /// poppler cannot be interrupted: cancellation is checked before and after.
    ///
    /// ```swift
    /// ImageCodersManager.shared.add(.pdf)
    /// ```
    public struct PDFCoder: ImageCoder, BundledCoder, Hashable {
        /// A coder without state.
        package init() {}

        /// Whether the bytes begin with PDF's signature.
        public func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data.prefix(4)) == .pdf }

        /// Whether the bytes are those of a document.
        public func isUninterruptible(for data: Data) -> Bool { canDecode(data) }

        /// Whether `format` is PDF.
        public func canDecode(_ format: ImageFormat) -> Bool { format == .pdf }

        /// The size of the first page and the number of pages; needs the whole file.
        public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
            try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
        }

        /// The same, for files within the byte limit of `options`.
        public func properties(
            of data: Data, isComplete: Bool, options: ImageDecodeOptions
        ) throws(WebImageError) -> ImageProperties? {
            guard isComplete else { return nil }
            let document = try PDFDocument(data, options: options)
            return ImageProperties(
                format: .pdf, pixelSize: try size(of: document), frameCount: document.pageCount, hasAlpha: true)
        }

        /// Draws a page; see ``ImageCoder/decode(_:options:)``.
        ///
        /// - Throws: Also ``WebImageError/Code/badImageData`` for a page that does not exist.
        public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
            try options.checkCancellation()
            let document = try PDFDocument(data, options: options)
            return try VectorCanvas.image(of: .pdf, size: try size(of: document), options: options) {
                document.draw(on: $0, bytesPerRow: $1, size: $2)
            }
        }

        private func size(of document: borrowing PDFDocument) throws(WebImageError) -> PixelSize {
            let points = document.pageSize
            guard let size = PixelSize(drawing: points.width, points.height) else {
                throw .damaged(.pdf, "its page is \(points.width)×\(points.height) points")
            }
            return size
        }
    }

    extension ImageCoder where Self == PDFCoder {
        /// PDF by poppler, any page, drawn at exactly the requested size; add it to ``WebImage/ImageCodersManager``.
        public static var pdf: PDFCoder { PDFCoder() }
    }
#endif
