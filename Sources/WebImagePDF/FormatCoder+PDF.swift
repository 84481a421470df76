#if PDF
    import WebImageCoders
    import WebImageCore
    import WebImagePixels

    private let shared = FormatCoder(PDFCoder())

    extension ImageCoder where Self == FormatCoder {
        /// PDF by poppler, any page, drawn at exactly the requested size; add it to ``WebImage/ImageCodersManager``.
        public static var pdf: FormatCoder { shared }
    }
#endif
