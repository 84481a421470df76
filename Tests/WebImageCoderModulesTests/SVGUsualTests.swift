import FoundationEssentials
import Testing
import WebImageCore
import WebImageSVG
import WebImageTestSupport

/// The usual contents of drawings, beside those that end librsvg's process or take its time.
@Suite("SVG with texts, patterns and references that are usual")
struct SVGUsualTests {
    private static func document(_ content: String, _ subset: String = "", attributes: String = "") -> Data {
        Data("<!DOCTYPE svg [\(subset)]>".utf8)
            + SVGText.file("xmlns:xlink='http://www.w3.org/1999/xlink' width='40' height='40' \(attributes)", content)
    }

    private static func nested(_ depth: Int, _ attribute: String) -> String {
        String(repeating: "<g \(attribute)>", count: depth) + "<text y='30'>W</text>"
            + String(repeating: "</g>", count: depth)
    }

    @Test(
        "fonts of any size that is drawn, and any size where there is no text",
        arguments: [
            document("<text font-size='50000' y='60000'>W</text>", attributes: "viewBox='0 0 100000 100000'"),
            document(nested(20, "font-size='1em'")),
            document(nested(4, "font-size='1.2em'")),
            document("<text style='font:700 12px/1.5 &quot;Open Sans&quot;' y='30'>W</text>"),
            document("<text style='font-family:\"\\5FAE\";font-size:20px' y='30'>W</text>"),
            document("<text style='font-size:5rem' y='30'>W</text>"),
            document("<text style='&a;&b;' y='30'>W</text>", "<!ENTITY a 'font-size:12;'><!ENTITY b 'fill:#FF0000;'>"),
            document(
                "<text style='&a;' y='30'>W</text>",
                "<!ENTITY ns 'http://ns.adobe.com/Graphs/1.0/'><!ENTITY a 'font-size:12;'>"),
            document("<rect font-size='1e7' width='40' height='40'/>"),
            document("<a font-size='1e7'><rect width='40' height='40'/></a>"),
            document("<g transform='scale(.001)'><text font-size='20000' y='30000'>W</text></g>"),
            document("<g transform='scale(1000)'><text transform='scale(.001)' y='30'>W</text></g>"),
            document("<text font-size='.3' y='.3'>W</text>", attributes: "viewBox='0 0 .4 .4'"),
            document(
                "<text style='&a;' y='30'>W</text>", "<!ENTITY a 'stroke:#000;stroke-width:2;'>",
                attributes: "viewBox='0 0 40 40'"),
            document("<text y='30'>\(String(repeating: "&#x57;", count: 200))</text>"),
            document(
                "<clipPath id='c' clipPathUnits='objectBoundingBox'><text font-size='1' y='1'>W</text></clipPath>"
                    + "<rect width='40' height='40' clip-path='url(#c)'/>"),
        ])
    func fonts(file: Data) throws {
        #expect(try SVGText.decode(file).bitmap.bytes.contains { $0 != 0 })
    }

    @Test("rules for languages", arguments: [":lang(en)", ":lang(de-CH-1901)", ":lang('*')", "a:not(b)"])
    func languages(selector: String) throws {
        let file = Self.document(
            "<style>\(selector){fill:red}</style><a><rect width='9' height='9'/></a>", attributes: "xml:lang='en'")
        #expect(try SVGText.decode(file).bitmap.bytes.contains { $0 != 0 })
    }

    @Test("many letters, in runs and elements of their own")
    func letters() throws {
        let run = String(repeating: "a", count: 500)
        for content in [
            String(repeating: "<text>\(run)</text>", count: 30),
            "<text>" + String(repeating: "<tspan>\(run)</tspan>", count: 30) + "</text>",
            "<desc>\(String(repeating: run, count: 200))</desc><text>a</text>",
        ] {
            _ = try SVGText.decode(SVGText.file("width='9' height='9'", content))
        }
    }

    private static func pattern(_ attributes: String, id: String = "p") -> String {
        "<pattern id='\(id)' \(attributes)><rect width='9' height='9' fill='red'/></pattern>"
    }

    @Test("hatches, textures and icons")
    func patterns() throws {
        let hatch = Self.pattern(
            "patternUnits='userSpaceOnUse' width='9' height='9' patternTransform='rotate(45) scale(.5)'")
        let shapes = (0..<500).map { "<path d='M\($0) \($0)h9v9z' fill='url(#p)'/>" }.joined()
        let tartan = Self.pattern("width='.1' height='.1' viewBox='0 0 10 10'", id: "t")
        let icon = "<symbol id='i' viewBox='0 0 24 24'><circle r='12' cx='12' cy='12' fill='url(#t)'/></symbol>"
        let uses = "<use href='#i' width='24' height='24'/><rect width='500' height='500' fill='url(#t)'/>"
        let text = "<text x='20' y='40' font-size='20' fill='url(#p)'>some words</text>"
        let file = SVGText.file(
            "width='500' height='500' viewBox='0 0 500 500'", hatch + tartan + icon + uses + shapes + text)
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 500 * 500
        let bitmap = try SVGCoder().decode(file, options: options).bitmap
        #expect(bitmap.size == PixelSize(width: 500, height: 500) && bitmap.pixel(400, 100) == SVGText.red)
    }

    @Test("a small tile in a large picture")
    func tile() throws {
        let painted = "<rect width='9' height='9' fill='url(#p)'/>"
        let file = SVGText.file(
            "width='9' height='9'",
            Self.pattern("patternUnits='userSpaceOnUse' width='9' height='9'") + painted)
        #expect(try SVGText.decode(file).bitmap.pixel(4, 4) == SVGText.red)
        let large = try SVGText.decode(file, box: PixelSize(width: 500, height: 500))
        #expect(large.bitmap.pixel(499, 499) == SVGText.red)
    }

    @Test("gradients, classes, namespaces in entities and many shapes in one style")
    func classes() throws {
        let shapes = String(repeating: "<path class='st0' d='M0 0h9v9z'/>", count: 2000)
        let content = """
            <style type="text/css"><![CDATA[ .st0{fill:url(#a);} .st1{clip-path:url(#c);opacity:.5} ]]></style>
            <linearGradient id='a'><stop offset='0' stop-color='red'/><stop offset='1' stop-color='red'/></linearGradient>
            <clipPath id='c'><rect width='9' height='9'/></clipPath><g class='st1'>\(shapes)</g><g style='&st2;'/>
            """
        let head = """
            <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
            <!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY st2 "fill:none;stroke:#000000">
            <!ATTLIST svg xmlns:xlink CDATA #FIXED "http://www.w3.org/1999/xlink">]>
            """
        let text = head + "<svg xmlns='&ns_svg;' width='9' height='9'>" + content + "</svg>"
        let image = try SVGText.decode(Data(text.utf8))
        #expect(image.bitmap.pixel(4, 4)[0] > 100 && image.bitmap.pixel(4, 4)[1] == 0)
    }

    @Test("a document that refers to itself")
    func cycles() throws {
        let content =
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g><rect width='9' height='9' fill='red'/>"
        #expect(try SVGText.decode(SVGText.file("width='9' height='9'", content)).bitmap.pixel(4, 4) == SVGText.red)
    }

    @Test(
        "kernelUnitLength, which is ignored",
        arguments: [
            "rotate(180 20 20)", "rotate(90 20 20)", "scale(-1 1) translate(-40)", "skewX(-80)", "scale(-1e38)",
        ])
    func unitLengths(transform: String) throws {
        for length in ["41", "100", "1.5", "1e9", "0.001"] {
            for primitive in [
                "<feDiffuseLighting kernelUnitLength='\(length)'><fePointLight/></feDiffuseLighting>",
                "<feConvolveMatrix order='3' kernelMatrix='1 1 1 1 1 1 1 1 1' kernelUnitLength='\(length)'/>",
            ] {
                let image = try? SVGText.decode(Self.filtered(primitive, transform: transform))
                let plain = try? SVGText.decode(
                    Self.filtered(primitive.replacing("kernelUnitLength", with: "data-length"), transform: transform))
                #expect(image?.bitmap.bytes == plain?.bitmap.bytes)
            }
        }
    }

    private static func filtered(_ primitive: String, transform: String) -> Data {
        let shape = "<rect x='5' y='5' width='20' height='20' filter='url(#f)'/>"
        return document("<filter id='f'>\(primitive)</filter><g transform='\(transform)'>\(shape)</g>")
    }
}
