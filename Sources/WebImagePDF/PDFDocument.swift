#if PDF
    import CPoppler
    import FoundationEssentials
    import WebImageCoders
    import WebImageCore
    import WebImagePixels

    /// A page of a PDF, drawn by poppler on a cairo surface.
    struct PDFDocument: ~Copyable {
        /// The number of pages in the file.
        let pageCount: Int
        private let document: OpaquePointer
        private let page: OpaquePointer

        /// - Parameters:
        ///   - data: A whole file.
        ///   - options: They select the page.
        init(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) {
            let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
            defer { g_bytes_unref(bytes) }
            var failure: UnsafeMutablePointer<GError>?
            guard let document = poppler_document_new_from_bytes(bytes, nil, &failure) else {
                throw Self.error(failure)
            }
            let pageCount = Int(poppler_document_get_n_pages(document))
            do throws(WebImageError) {
                page = try Self.page(of: document, count: pageCount, options)
            } catch {
                g_object_unref(UnsafeMutableRawPointer(document))
                throw error
            }
            self.pageCount = pageCount
            self.document = document
        }

        deinit {
            g_object_unref(UnsafeMutableRawPointer(page))
            g_object_unref(UnsafeMutableRawPointer(document))
        }

        /// The page's box in points, with the page's rotation applied.
        var pageSize: PointSize {
            var (width, height) = (0.0, 0.0)
            poppler_page_get_size(page, &width, &height)
            return PointSize(width: width, height: height)
        }

        /// Draws the page scaled to `size` over the existing pixels: cairo's words of premultiplied alpha, red, green,
        /// blue.
        func draw(on rows: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, size: PixelSize) {
            let surface = cairo_image_surface_create_for_data(
                rows, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height), Int32(bytesPerRow))
            defer { cairo_surface_destroy(surface) }
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            cairo_scale(context, Double(size.width) / pageSize.width, Double(size.height) / pageSize.height)
            poppler_page_render(page, context)
            cairo_surface_finish(surface)
        }

        private static func page(
            of document: OpaquePointer, count: Int, _ options: ImageDecodeOptions
        ) throws(WebImageError) -> OpaquePointer {
            guard count > 0 else { throw .damaged(.pdf, "it has no page") }
            try options.checkPage(of: .pdf, count: count)
            guard let page = poppler_document_get_page(document, Int32(clamping: options.pageIndex)) else {
                throw .damaged(.pdf, "page \(options.pageIndex) cannot be read")
            }
            return page
        }

        private static func error(_ failure: UnsafeMutablePointer<GError>?) -> WebImageError {
            guard let failure else { return .damaged(.pdf, "poppler gives no reason") }
            defer { g_error_free(failure) }
            let isEncrypted =
                failure.pointee.domain == webimage_poppler_error_domain()
                && failure.pointee.code == Int32(POPPLER_ERROR_ENCRYPTED.rawValue)
            guard isEncrypted else { return .damaged(.pdf, String(cString: failure.pointee.message)) }
            return WebImageError(
                .badImageData, stage: .decode, kind: .permanent,
                reason: "the PDF file is encrypted and opens with a password only")
        }
    }
#endif
