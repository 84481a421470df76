import FoundationEssentials
import Synchronization
import Testing
import WebImageCoders
import WebImageCore
import WebImageSVG
import WebImageTestSupport

@Suite("Pictures in SVG", .timeLimit(.minutes(5)))
struct SVGPictureTests {
    private static func file(_ format: ImageFormat, side: Int = 1) throws -> Data {
        let pixels = Array(repeatElement(SVGText.red, count: side * side).joined())
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels))
        return try ImageCodersManager.shared.encode(image, to: format, options: ImageEncodeOptions.best)
    }

    private static func showing(_ address: String) -> Data {
        SVGText.file("width='4' height='4'", "<image width='4' height='4' href='\(address)'/>")
    }

    @Test("nothing is loaded from files or networks")
    func references() throws {
        let png = try Self.file(.png)
        let path = "/tmp/webimage-svg-\(UInt32.random(in: 0 ... .max)).png"
        try png.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for address in ["file://\(path)", path, "../../../../../../../..\(path)", "http://127.0.0.1:9/a.png"] {
            let file = Self.showing(address)
            #expect(try SVGText.decode(file).bitmap.pixel(2, 2) == SVGText.clear, "\(address)")
            let nested = Self.showing("data:image/svg+xml;base64,\(file.base64EncodedString())")
            #expect(try SVGText.decode(nested).bitmap.pixel(2, 2) == SVGText.clear, "\(address)")
        }
    }

    @Test(
        "JPEG, PNG and GIF in data: URLs are drawn",
        arguments: [(ImageFormat.jpeg, "image/jpeg"), (.png, "image/png"), (.gif, "image/gif")])
    func formats(format: ImageFormat, type: String) throws {
        let text = try Self.file(format, side: 8).base64EncodedString()
        let pixel = try SVGText.decode(Self.showing("data:\(type);base64,\(text)")).bitmap.pixel(2, 2)
        #expect(pixel[0] > 250 && pixel[1] < 5 && pixel[3] == 255)
    }

    @Test("pictures in data: URLs are drawn in every spelling")
    func spellings() throws {
        let png = try Self.file(.png)
        let text = png.base64EncodedString()
        let hex = "0123456789abcdef".map(String.init)
        let percents = png.map { "%" + hex[Int($0 >> 4)] + hex[Int($0 & 15)] }.joined()
        for url in [
            "data:image/png;base64,\(text)", " \n DATA:image/PNG;Base64,\(text)",
            "data:image/png;charset=utf-8;base64,&#10;\(text.prefix(20))&#xA;\(text.dropFirst(20)) ",
            "data:image/png;base64,\(text.prefix(8)) \n\(text.dropFirst(8))", "data:image/png,\(percents)",
            "data:image/png;base64,\(text.replacing("=", with: "%3D"))",
            "data:image/png;base64,\(text.replacing("=", with: ""))",
            // Illustrator, and other writers of no media type or a wrong one
            "data:;base64,\(text)", "data:;base64,\n\(text)", "data:;base64,&#10;\(text)", "data:,\(percents)",
            "data:image/jpg;base64,\(text)", "data:img/png;base64,\(text)", "data:image/x-png;base64,\(text)",
            "data:application/octet-stream;base64,\(text)", "data:image/svg+xml;base64,\(text)",
            " data:image/gif;x=y;base64,\(text)",
        ] {
            #expect(try SVGText.decode(Self.showing(url)).bitmap.pixel(2, 2) == SVGText.red, "\(url)")
        }
    }

    /// Addresses of a picture that are none, or none that is known.
    private func unknownPictures() throws -> [String] {
        let bmp = try Self.file(.bmp).base64EncodedString()
        let xpm = "/* XPM */ static char *a[] = {\"1 1 1 1\",\"a c red\",\"a\"};"
        let document = SVGText.file().base64EncodedString()
        return [
            "data:image/bmp;base64,\(bmp)", "data:;base64,\(bmp)", "data:image/png;base64,\(bmp)",
            "data:image/x-xpixmap;base64,\(Data(xpm.utf8).base64EncodedString())", "data:;base64,\(document)",
            "data:image/png;base64,\(document)", "data:image/png;x=,;base64,\(bmp)",
            "data:image/png;base64,iVBORw0KGgo=",
            "data:image/png;base64,H4sIAAAAAAAAAwMAAAAAAAAAAAA=", "data:text/html,%3Cb%3E", "data:,", "data:",
        ]
    }

    @Test("an unknown picture in a data: URL is left out, and the rest is drawn")
    func unknownPicturesAreLeftOut() throws {
        for address in try unknownPictures() {
            let content =
                "<rect width='2' height='9' fill='red'/><image width='9' height='9' href='\(address)'/>"
                + "<rect x='7' width='2' height='9' fill='red'/>"
            let bitmap = try SVGText.decode(SVGText.file("width='9' height='9'", content)).bitmap
            #expect(bitmap.pixel(1, 4) == SVGText.red && bitmap.pixel(8, 4) == SVGText.red, "\(address)")
            #expect(bitmap.pixel(4, 4) == SVGText.clear, "\(address)")
        }
    }

    @Test("a filter's omitted picture is transparent, as in browsers")
    func filterPictures() throws {
        let filter =
            "<filter id='f'><feFlood flood-color='red'/><feImage href='data:image/bmp,BM'/></filter>"
            + "<rect width='6' height='9' fill='blue' filter='url(#f)'/><rect x='7' width='2' height='9' fill='red'/>"
        let bitmap = try SVGText.decode(SVGText.file("width='9' height='9'", filter)).bitmap
        #expect(bitmap.pixel(3, 4) == SVGText.clear && bitmap.pixel(8, 4) == SVGText.red)
    }

    @Test(
        "several pictures are left out, known ones beside them are drawn, in UTF-16 as well", arguments: [false, true])
    func several(isWide: Bool) throws {
        let png = "data:image/png;base64,\(try Self.file(.png).base64EncodedString())"
        let images = ["data:image/bmp,BM", png, "data:text/plain,x", png.replacing("png", with: "gif")].enumerated().map
        { index, address in
            "<image x='\(index * 4)' width='4' height='4' xl:href=\"\(address)\" preserveAspectRatio='none'/>"
        }
        let content = "<g xmlns:xl='http://www.w3.org/1999/xlink'>Ж\(images.joined())</g>"
        let text = String(decoding: SVGText.file("width='16' height='4'", content), as: UTF8.self)
        for isLittleEndian in isWide ? [true, false] : [true] {
            let words = text.utf16.flatMap {
                isLittleEndian ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)]
            }
            let data = isWide ? Data((isLittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]) + words) : Data(text.utf8)
            let bitmap = try SVGText.decode(data).bitmap
            let columns = [SVGText.clear, SVGText.red, SVGText.clear, SVGText.red]
            for (index, color) in columns.enumerated() { #expect(bitmap.pixel(index * 4 + 2, 2) == color, "\(index)") }
        }
    }

    @Test("one warning for each document names the omitted pictures")
    func warning() async {
        await #expect(processExitsWith: .success) {
            let messages = Mutex<[String]>([])
            WebImageLog.setHandler { message in messages.withLock { $0.append(message) } }
            let image = "<image width='9' height='9' href='data:image/bmp,BM'/>"
            let other = "<image width='9' height='9' href='data:te\u{7}xt/\u{1B}[31mhtml,'/>"
            let file = SVGText.file("width='9' height='9'", image + image)
            for box in [nil, PixelSize(width: 5, height: 5)] { _ = try SVGText.decode(file, box: box) }
            _ = try SVGCoder().properties(of: file, isComplete: true)
            let told = messages.withLock { $0 }
            try #require(told.count == 1)
            #expect(told[0].contains("without 2 of") && told[0].contains("image/bmp"))
            _ = try SVGText.decode(SVGText.file("width='9' height='9'", image))
            #expect(messages.withLock { $0.count } == 2)
            _ = try? SVGText.decode(SVGText.file("width='9' height='9'", other))
            #expect(messages.withLock { $0.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 } } })
            _ = try SVGText.decode(SVGText.file())
            #expect(messages.withLock { $0.count } <= 3)
        }
    }

    @Test("SVG within SVG is drawn, and what is not to be read in it is not", .enabled(if: SVGText.drawsDocuments))
    func documents() throws {
        for type in ["image/svg+xml", "image/svg+xml;charset=utf-8"] {
            let file = Self.showing("data:\(type);base64,\(SVGText.file().base64EncodedString())")
            #expect(try SVGText.decode(file).bitmap.pixel(2, 2) == SVGText.red)
        }
        let damaged = Self.showing("data:image/svg+xml,%3Csvg")
        #expect(try SVGText.decode(damaged).bitmap.pixel(2, 2) == SVGText.clear)
    }

    @Test("fonts, links and sheets elsewhere are no pictures, and are ignored")
    func harmless() throws {
        let content = """
            <style>@import url('https://example.com/css?family=A&amp;display=swap');
            @font-face{src:url("data:font/woff2;base64,AAAA") format("woff2"), url(data:font/ttf;base64,AAAA)}
            /* a note: isn't it (really) one? */ rect{fill:red}</style><a href="data:text/plain,a"><rect width='9' height='9'/></a>
            <text>data: &amp; more</text>
            """
        #expect(try SVGText.decode(SVGText.file("width='9' height='9'", content)).bitmap.pixel(4, 4) == SVGText.red)
    }
}
