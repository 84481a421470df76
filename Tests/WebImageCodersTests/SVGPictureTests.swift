import FoundationEssentials
import Testing
import WebImage
import WebImageSVG
import WebImageTestSupport

@Suite("Pictures in SVG")
struct SVGPictureTests {
    private static func file(_ format: ImageFormat, side: Int = 1) throws -> Data {
        let pixels = Array(repeatElement(SVGText.red, count: side * side).joined())
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels))
        return try ImageCodersManager.shared.encode(image, to: format, options: ImageEncodeOptions())
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

    @Test("pictures in data: URLs are drawn however they are written")
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

    @Test("no document is read from a data: URL, whatever it is called and wherever the URL stands")
    func documents() throws {
        let percents = document(Self.document)
        let rect = "<rect width='9' height='9'/>"
        let addresses = [
            Self.data, "data:;base64,\(Self.base64)", "data:image/png;base64,\(Self.base64)", percents,
            "da&#9;ta:image/svg+xml;base64,\(Self.base64)", "&#100;ata:image/svg+xml;base64,\(Self.base64)",
            "data&#58;image/svg+xml;base64,\(Self.base64)", "\u{1}DA TA:image/svg+xml;base64,\(Self.base64)",
            "data:image/png;x=,;base64,\(Self.base64)",
        ]
        var files = addresses.map(Self.showing)
        files += [
            "<filter id='f'><feImage href='\(Self.data)'/></filter><rect width='9' height='9' filter='url(#f)'/>",
            "<use href='\(Self.data)#a'/>", "<rect width='9' height='9' fill='url(\(Self.data)#p)'/>",
            "<rect width='9' height='9' style='fill:url(\"\(Self.data)#p\")'/>",
            "<style>rect{fill:url(\(Self.data)#p)}</style>\(rect)",
            "<x:include xmlns:x='http://www.w3.org/2001/XInclude' href='\(Self.data)'/>",
            "<style>@import url(\(Self.sheet));</style>\(rect)", "<style>@import '\(Self.sheet)';</style>\(rect)",
            "<style>@IMPORT/**/ \"\(Self.sheet)\";</style>\(rect)", "<style>@\\69mport '\(Self.sheet)';</style>\(rect)",
            "<style>@import 'd\\61ta:text/css,rect%7Bfill:red%7D';</style>\(rect)",
            "<style>&#64;import '\(Self.sheet)';</style>\(rect)",
            "<style>@import &quot;\(Self.sheet)&quot;;</style>\(rect)",
            "<style>@im<!-- -->port '\(Self.sheet)';</style>\(rect)",
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

    @Test("a compressed document, and bytes that only other loaders of gdk-pixbuf read, are refused")
    func otherFormats() throws {
        let bmp = try Self.file(.bmp)
        let xpm = Data("/* XPM */ static char *a[] = {\"1 1 1 1\",\"a c red\",\"a\"};".utf8)
        let gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        for (type, bytes) in [
            ("image/bmp", bmp), ("image/x-xpixmap", xpm), ("image/svg+xml", gzip), ("image/png", gzip),
        ] {
            let file = Self.showing("data:\(type);base64,\(bytes.base64EncodedString())")
            #expect(Self.refusal(file)?.code == .badImageData, "\(type)")
        }
        let misnamed = Self.showing("data:image/svg+xml;base64,\(try Self.file(.png).base64EncodedString())")
        #expect(Self.refusal(misnamed)?.code == .badImageData)
    }

    @Test("fonts, links and sheets elsewhere are no pictures, and are passed over")
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

    @Test("of a GIF all frames count, also those that are larger than its screen")
    func frames() {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 2, 0x4C, 1, 0]
        let screen: [UInt8] = [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let gif = Data(Array("GIF89a".utf8) + screen + frame + [0x3B])
        let file = Self.showing("data:image/gif;base64,\(gif.base64EncodedString())")
        #expect(Self.refusal(file) != nil)
    }
}
