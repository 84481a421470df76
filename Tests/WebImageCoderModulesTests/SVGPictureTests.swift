import FoundationEssentials
import Synchronization
import Testing
import WebImage
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

    private static func refusal(_ file: Data, limits: ImageLimits = ImageLimits()) -> WebImageError? {
        var options = ImageDecodeOptions()
        options.limits = limits
        do throws(WebImageError) {
            _ = try SVGCoder().decode(file, options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test("nothing is loaded from files or networks")
    func references() throws {
        let png = try Self.file(.png)
        let path = "/tmp/webimage-svg-\(UInt32.random(in: 0 ... .max)).png"
        try png.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for address in ["file://\(path)", path, "../../../../../../../..\(path)", "http://127.0.0.1:9/a.png"] {
            #expect(try SVGText.decode(Self.showing(address)).bitmap.pixel(2, 2) == SVGText.clear, "\(address)")
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
        ] {
            #expect(try SVGText.decode(Self.showing(url)).bitmap.pixel(2, 2) == SVGText.red, "\(url)")
        }
    }

    /// A red document with elements that can be referenced, a style sheet that makes everything red, and addresses of
    /// both.
    private static let document = """
        <svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g id='a'><rect width='9' height='9' fill='red'/></g>
        <pattern id='p' width='9' height='9'><rect width='9' height='9' fill='red'/></pattern></svg>
        """
    private static let base64 = Data(document.utf8).base64EncodedString()
    private static let data = "data:image/svg+xml;base64,\(base64)"
    private static let sheet = "data:text/css;base64,\(Data("rect{fill:red}".utf8).base64EncodedString())"

    /// Addresses of a picture that are none, or none that is known.
    private var unknownPictures: [String] {
        let percents = document(Self.document)
        return [
            Self.data, "data:;base64,\(Self.base64)", "data:image/png;base64,\(Self.base64)", percents,
            "da&#9;ta:image/svg+xml;base64,\(Self.base64)", "&#100;ata:image/svg+xml;base64,\(Self.base64)",
            "data&#58;image/svg+xml;base64,\(Self.base64)", "\u{1}DA TA:image/svg+xml;base64,\(Self.base64)",
            "data:image/png;x=,;base64,\(Self.base64)", "data:image/png;base64,iVBORw0KGgo=", "data:,", "data:",
        ]
    }

    @Test("an unknown picture in a data: URL is left out, and the rest is drawn")
    func unknownPicturesAreLeftOut() throws {
        // XML has no such character, and librsvg takes the document for damaged.
        for address in unknownPictures where !address.hasPrefix("\u{1}") {
            let content =
                "<rect width='2' height='9' fill='red'/><image width='9' height='9' href='\(address)'/>"
                + "<rect x='7' width='2' height='9' fill='red'/>"
            let bitmap = try SVGText.decode(SVGText.file("width='9' height='9'", content)).bitmap
            #expect(bitmap.pixel(1, 4) == SVGText.red && bitmap.pixel(8, 4) == SVGText.red, "\(address)")
            #expect(bitmap.pixel(4, 4) == SVGText.clear, "\(address)")
        }
    }

    @Test("a data: URL in an element that shows no picture is left out, and the rest is drawn")
    func otherElements() throws {
        let rect = "<rect x='7' width='2' height='9' fill='red'/>"
        for content in [
            "<use href='\(Self.data)#a'/>",
            "<x:include xmlns:x='http://www.w3.org/2001/XInclude' href='\(Self.data)'/>",
            "<pattern id='q' href='\(Self.data)#p' width='9' height='9'/><rect width='6' height='9' fill='url(#q)'/>",
            "<text><tref href='\(Self.data)#a'/></text>",
        ] {
            let bitmap = try SVGText.decode(SVGText.file("width='9' height='9'", content + rect)).bitmap
            #expect(bitmap.pixel(8, 4) == SVGText.red && bitmap.pixel(4, 4) == SVGText.clear, "\(content)")
        }
    }

    @Test("a filter's omitted picture is transparent, as in browsers")
    func filterPictures() throws {
        let filter =
            "<filter id='f'><feFlood flood-color='red'/><feImage href='\(Self.data)'/></filter>"
            + "<rect width='6' height='9' fill='blue' filter='url(#f)'/><rect x='7' width='2' height='9' fill='red'/>"
        let bitmap = try SVGText.decode(SVGText.file("width='9' height='9'", filter)).bitmap
        #expect(bitmap.pixel(3, 4) == SVGText.clear && bitmap.pixel(8, 4) == SVGText.red)
    }

    @Test(
        "several pictures are left out, known ones beside them are drawn, in UTF-16 as well", arguments: [false, true])
    func several(isWide: Bool) throws {
        let png = "data:image/png;base64,\(try Self.file(.png).base64EncodedString())"
        let images = [Self.data, png, "data:image/jpg,x", png].enumerated().map { index, address in
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
            let image = "<image width='9' height='9' href='\(Self.data)'/>"
            let other = "<image width='9' height='9' href='data:te\u{7}xt/\u{1B}[31mhtml,'/>"
            let file = SVGText.file("width='9' height='9'", image + image)
            for box in [nil, PixelSize(width: 5, height: 5)] { _ = try SVGText.decode(file, box: box) }
            _ = try SVGCoder().properties(of: file, isComplete: true)
            let told = messages.withLock { $0 }
            try #require(told.count == 1)
            #expect(told[0].contains("without 2 of") && told[0].contains("image/svg+xml"))
            _ = try SVGText.decode(SVGText.file("width='9' height='9'", image))
            #expect(messages.withLock { $0.count } == 2)
            _ = try? SVGText.decode(SVGText.file("width='9' height='9'", other))
            #expect(messages.withLock { $0.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 } } })
            _ = try SVGText.decode(SVGText.file())
            #expect(messages.withLock { $0.count } <= 3)
        }
    }

    @Test("no style sheet, and no element of another document, is read from a data: URL")
    func documents() throws {
        let rect = "<rect width='9' height='9'/>"
        var files = [
            "<rect width='9' height='9' fill='url(\(Self.data)#p)'/>",
            "<rect width='9' height='9' style='fill:url(\"\(Self.data)#p\")'/>",
            "<style>rect{fill:url(\(Self.data)#p)}</style>\(rect)",
            "<style>@import url(\(Self.sheet));</style>\(rect)", "<style>@import '\(Self.sheet)';</style>\(rect)",
            "<style>@IMPORT/**/ \"\(Self.sheet)\";</style>\(rect)", "<style>@\\69mport '\(Self.sheet)';</style>\(rect)",
            "<style>@import 'd\\61ta:text/css,rect%7Bfill:red%7D';</style>\(rect)",
            "<style>&#64;import '\(Self.sheet)';</style>\(rect)",
            "<style>@import &quot;\(Self.sheet)&quot;;</style>\(rect)",
            "<style>@im<!-- -->port '\(Self.sheet)';</style>\(rect)",
            "<use href='&#100;ata:\(Self.data.dropFirst(5))#a'/>",
        ].map { SVGText.file("width='9' height='9'", $0) }
        files.append(Data("<?xml-stylesheet type='text/css' href='\(Self.sheet)'?>".utf8) + SVGText.file())
        files.append(
            Data("<!DOCTYPE svg [<!ATTLIST image xmlns:b CDATA #FIXED 'b' href CDATA '\(Self.data)'>]>".utf8)
                + SVGText.file("width='9' height='9'", "<image width='9' height='9'/>"))
        files.append(
            Data("<!DOCTYPE svg [<!ENTITY a '@import \"\(Self.sheet)\";'>]>".utf8)
                + SVGText.file("width='9' height='9'", "<style>&a;</style>\(rect)"))
        for file in files { #expect(Self.refusal(file) != nil, "\(String(decoding: file, as: UTF8.self))") }
        #expect(Self.refusal(files[0])?.code == .badImageData)
    }

    private func document(_ text: String) -> String {
        "data:image/svg+xml,"
            + text.replacing("<", with: "%3C").replacing(">", with: "%3E").replacing("#", with: "%23").replacing(
                "'", with: "%27")
    }

    @Test("a compressed document, and bytes that only other loaders of gdk-pixbuf read, are left out")
    func otherFormats() throws {
        let bmp = try Self.file(.bmp)
        let xpm = Data("/* XPM */ static char *a[] = {\"1 1 1 1\",\"a c red\",\"a\"};".utf8)
        let gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        for (type, bytes) in [
            ("image/bmp", bmp), ("image/x-xpixmap", xpm), ("image/svg+xml", gzip), ("image/png", gzip),
            ("image/svg+xml", try Self.file(.png)),
        ] {
            let file = Self.showing("data:\(type);base64,\(bytes.base64EncodedString())")
            #expect(try SVGText.decode(file).bitmap.pixel(2, 2) == SVGText.clear, "\(type)")
        }
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

    @Test("pictures count together against the limit of pixels")
    func pixels() throws {
        let text = try Self.file(.png, side: 10).base64EncodedString()
        let image = "<image width='4' height='4' href='data:image/png;base64,\(text)'/>"
        var limits = ImageLimits()
        limits.maximumPixelCount = 150
        let one = SVGText.file("width='4' height='4'", image)
        #expect(Self.refusal(one, limits: limits) == nil)
        let error = Self.refusal(SVGText.file("width='4' height='4'", image + image), limits: limits)
        #expect(error?.code == .limitExceeded && error?.reason.contains("maximumPixelCount") == true)
        limits.maximumEffectPixelCount = 99
        #expect(Self.refusal(one, limits: limits)?.reason.contains("maximumEffectPixelCount") == true)
    }

    @Test("a picture with more frames than a file may have is refused, and not left out")
    func tooManyFrames() {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
        let screen: [UInt8] = [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let frames = repeatElement(frame, count: ImageLimits().maximumFrameCount + 1).joined()
        let gif = Data(Array("GIF89a".utf8) + screen + frames + [0x3B])
        #expect(
            Self.refusal(Self.showing("data:image/gif;base64,\(gif.base64EncodedString())"))?.code == .limitExceeded)
    }

    @Test("of a GIF all frames count, also those that are larger than its screen")
    func frames() {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 2, 0x4C, 1, 0]
        let screen: [UInt8] = [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let gif = Data(Array("GIF89a".utf8) + screen + frame + [0x3B])
        let file = Self.showing("data:image/gif;base64,\(gif.base64EncodedString())")
        #expect(Self.refusal(file) != nil)
    }
}
