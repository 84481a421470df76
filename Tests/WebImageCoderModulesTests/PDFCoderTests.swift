#if PDF
    import FoundationEssentials
    import Testing
    import WebImageCoders
    import WebImageCore
    import WebImagePDF
    import WebImageTestSupport

    @Suite("PDF")
    struct PDFCoderTests {
        private static let red: [UInt8] = [255, 0, 0, 255]
        private static let clear: [UInt8] = [0, 0, 0, 0]

        /// Pages whose upper left quarter of 20 × 10 points is red.
        private func file(
            _ page: String = "/MediaBox [0 0 40 20]", others: [String] = [], trailer: String = ""
        ) -> Data {
            let (content, pages) = ("1 0 0 rg 0 10 20 10 re f", [page] + others)
            return file(pages, content: content, trailer: trailer)
        }

        private func file(_ pages: [String], content: String = "", trailer: String = "") -> Data {
            var objects = [
                "<< /Type /Catalog /Pages 2 0 R >>",
                "<< /Type /Pages /Count \(pages.count) /Kids [" + pages.indices.map { "\($0 + 4) 0 R " }.joined()
                    + "] >>",
                "<< /Length \(content.count) >>\nstream\n\(content)\nendstream",
            ]
            objects += pages.map { "<< /Type /Page /Parent 2 0 R \($0) /Contents 3 0 R >>" }
            var text = "%PDF-1.4\n"
            var offsets: [Int] = []
            for (index, object) in objects.enumerated() {
                offsets.append(text.utf8.count)
                text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
            }
            let start = text.utf8.count
            text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
            for offset in offsets {
                text += String(repeating: "0", count: 10 - "\(offset)".count) + "\(offset) 00000 n \n"
            }
            text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
            return Data(text.utf8)
        }

        private func decode(_ data: Data, box: PixelSize? = nil) throws -> Image {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = box
            return try PDFCoder().decode(data, options: options)
        }

        @Test("BCO-2 A68 the first page is a pixel for a point, whatever the scale, and transparent")
        func page() throws {
            var options = ImageDecodeOptions()
            options.scaleFactor = 2
            let pages = file(others: ["/MediaBox [0 0 30 50]", "/MediaBox [0 0 8 6]"])
            let image = try PDFCoder().decode(pages, options: options)
            #expect(image.pixelSize == PixelSize(width: 40, height: 20) && image.metadata.isVector)
            #expect(image.bitmap.pixel(5, 5) == Self.red && image.bitmap.pixel(30, 15) == Self.clear)
            let properties = try PDFCoder().properties(of: pages, isComplete: true)
            #expect(
                properties?.frameCount == 3 && properties?.pixelSize == image.pixelSize && properties?.hasAlpha == true)
        }

        @Test("any page can be drawn, and a missing one is an error")
        func pages() throws {
            let data = file(others: ["/MediaBox [0 0 30 50]", "/MediaBox [0 0 8 6]"])
            var options = ImageDecodeOptions()
            let sizes = try (0..<3).map { index in
                options.pageIndex = index
                return try PDFCoder().decode(data, options: options).pixelSize
            }
            #expect(sizes.map(\.width) == [40, 30, 8])
            for index in [-1, 3] {
                options.pageIndex = index
                let error = #expect(throws: WebImageError.self) { try PDFCoder().decode(data, options: options) }
                #expect(error?.code == .badImageData && error?.reason.contains("page \(index)") == true)
            }
        }

        @Test("the crop box is the page if there is one, and the page's rotation is applied")
        func boxesOfThePage() throws {
            let cropped = try decode(file("/MediaBox [0 0 40 20] /CropBox [0 10 20 20]"))
            #expect(cropped.pixelSize == PixelSize(width: 20, height: 10) && cropped.bitmap.isOpaque)
            let turned = try decode(file("/MediaBox [0 0 40 20] /Rotate 90"))
            #expect(turned.pixelSize == PixelSize(width: 20, height: 40))
            #expect(turned.bitmap.pixel(15, 5) == Self.red && turned.bitmap.pixel(5, 5) == Self.clear)
        }

        @Test("THB-7 a box may enlarge a page, and has no margins")
        func boxes() throws {
            let image = try decode(file(), box: PixelSize(width: 100, height: 100))
            #expect(image.pixelSize == PixelSize(width: 100, height: 50) && image.metadata.isThumbnail)
            #expect(image.bitmap.pixel(1, 1) == Self.red && image.bitmap.pixel(45, 20) == Self.red)
            #expect(
                try decode(file(), box: PixelSize(width: 10, height: 10)).pixelSize == PixelSize(width: 10, height: 5))
        }

        @Test("damage, encryption and too many pixels have one clear error each")
        func failures() throws {
            let encryption =
                "/Encrypt << /Filter /Standard /V 1 /R 2 /O (\(String(repeating: "x", count: 32)))"
                + " /U (\(String(repeating: "y", count: 32))) /P -4 >> /ID [(a) (a)]"
            let encrypted = #expect(throws: WebImageError.self) { try decode(file(trailer: encryption)) }
            #expect(encrypted?.reason.contains("encrypted") == true)
            let damaged = #expect(throws: WebImageError.self) { try decode(Data("%PDF-1.4\nnothing".utf8)) }
            #expect(damaged?.code == .badImageData)
            let empty = #expect(throws: WebImageError.self) { try decode(file([String]())) }
            #expect(empty?.reason.contains("page") == true)
            let large = #expect(throws: WebImageError.self) { try decode(file("/MediaBox [0 0 40000 20]")) }
            #expect(large?.code == .limitExceeded)
        }

        @Test("files damaged at random are drawn or fail, and nothing worse")
        func mutations() {
            var mutator = FileMutator(seed: 9)
            var options = ImageDecodeOptions()
            options.limits.maximumPixelCount = 1 << 16
            options.limits.maximumSourcePixelCount = 1 << 16
            for _ in 0..<800 { _ = try? PDFCoder().decode(mutator.mutate(file()), options: options) }
        }

        @Test("PDF files of the corpus have their own size", .needsCorpus, arguments: Corpus.entries(of: "pdf"))
        func corpus(entry: Corpus.Entry) throws {
            let image = try decode(Corpus.data(at: entry.path))
            #expect(image.pixelSize == entry.size)
            #expect(
                try decode(Corpus.data(at: entry.path), box: PixelSize(width: 50, height: 50)).pixelSize.width == 50)
        }
    }
#endif
