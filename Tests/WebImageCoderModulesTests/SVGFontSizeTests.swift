import FoundationEssentials
import Testing
import WebImage
import WebImageTestSupport

@testable import WebImageSVG

/// Documents on which librsvg 2.54 ends the program, in its layout of text and in its search for rules.
@Suite("SVG that ends the program")
struct SVGFontSizeTests {
    private static func document(_ content: String, _ subset: String = "", attributes: String = "") -> String {
        "<!DOCTYPE svg [\(subset)]><svg xmlns='http://www.w3.org/2000/svg' "
            + "xmlns:xlink='http://www.w3.org/1999/xlink' width='40' height='40' \(attributes)>\(content)</svg>"
    }

    private static func nested(_ depth: Int, _ attribute: String, _ content: String = "<text y='30'>W</text>") -> String
    {
        String(repeating: "<g \(attribute)>", count: depth) + content + String(repeating: "</g>", count: depth)
    }

    private static let huge: [String] = [
        // Attributes and units
        document("<text font-size='1e7'>W</text>"),
        document("<text font-size='9000000px'>W</text>"),
        document("<text font-size='+.3e6in'>W</text>"),
        document("<text font-size='1e30'>W</text>"),
        document("<text><tspan font-size='2000000pt'>W</tspan></text>"),
        document("<text>W</text>", attributes: "font-size='1e7'"),
        // Enlarged by what is around it
        document("<text transform='scale(2147483647)'>W</text>"),
        document("<g style='transform:scale(5e4)'><g transform='matrix(5e4 0 0 5e4 0 0)'><text>W</text></g></g>"),
        document("<g transform='scale(1e7)'><text transform='scale(0) matrix(nan 0 0 1 0 0)'>W</text></g>"),
        document("<g transform='scale(1e7)'><text transform='scale(1e-7 1 1)'>W</text></g>"),
        document("<svg viewBox='0 0 .001 .001'><text>W</text></svg>"),
        document("<text>W</text>", attributes: "viewBox='0 0 .001 .001'"),
        document("<symbol id='s' viewBox='0 0 1 1'><text>W</text></symbol><use href='#s' width='1e9' height='1e9'/>"),
        document(
            "<clipPath id='c' clipPathUnits='objectBoundingBox'><text>W</text></clipPath>"
                + "<circle r='1e9' clip-path='url(#c)'/>"),
        document(
            "<mask id='m' maskContentUnits='objectBoundingBox'><text>W</text></mask><circle r='1e9' mask='url(#m)'/>"),
        document(
            "<marker id='m' markerWidth='9' markerHeight='9'><text>W</text></marker>"
                + "<path d='M5 5L9 9' stroke='red' stroke-width='2147483647' marker-start='url(#m)'/>"),
        document(
            "<pattern id='p' width='1' height='1' viewBox='0 0 1 1'><text>W</text></pattern>"
                + "<rect width='1e6' height='1e6' fill='url(#p)'/>"),
        document(
            "<pattern id='p' width='9' height='9' patternTransform='scale(1e6)'><text>W</text></pattern>"
                + "<rect width='9' height='9' fill='url(#p)'/>"),
        document("<text style='&t;'>W</text>", "<!ENTITY t 'transform:scale(1e9);'>"),
        document("<text transform='&t;'>W</text>", "<!ENTITY t 'scale(1e9)'>"),
        // In many lines
        document("<text font-size='1000'>\(String(repeating: "\u{2028}a", count: 2500))</text>"),
        document("<text font-size='99999'>\(String(repeating: "a\u{2029}", count: 30))</text>"),
        document("<text font-size='9999'>\(String(repeating: "a&#x85;", count: 30))</text>"),
        document("<text font-size='9999'>\(String(repeating: "&s;", count: 30))</text>", "<!ENTITY s '\u{2028}'>"),
        document("<text>W<a font-size='1000'>\(String(repeating: "\u{2028}a", count: 2500))</a></text>"),
        document("<text><tspan><a><a font-size='1e7'>W</a></a></tspan></text>"),
        // Styles
        document("<text style='font-size:1e7'>W</text>"),
        document("<text style='fill:red;FONT-SIZE : 1e7 !important'>W</text>"),
        document("<text style='font:bold 9000000px/1 Sans'>W</text>"),
        document("<text style='/* a */font-size/* b */:/* c */1e7'>W</text>"),
        document("<text style='f\\6fnt-size:1e7'>W</text>"),
        document("<text style='font-family:&quot;A;B&quot;;font-size:1e7'>W</text>"),
        document("<style>text{font-size:1e7}</style><text>W</text>"),
        document("<style>@media all{g .a,#b{font-size:1e7px}}</style><g><text class='a'>W</text></g>"),
        document("<style><![CDATA[*{x:&quot;;font-size:1e7;y:&quot;}]]></style><text>W</text>"),
        // Relative to what is inherited
        document(nested(4, "font-size='200em'")),
        document(nested(4, "font-size='20000%'")),
        document(nested(60, "style='font-size:1.5em'")),
        document(nested(60, "font-size='larger'")),
        document(nested(60, "font-size='3ex'")),
        document(
            "<defs><text id='a' font-size='500em'>W</text></defs>"
                + nested(2, "font-size='300em'", "<use xlink:href='#a'/>")),
        document(
            "<g font-size='900em'><use xlink:href='#b'/></g><g id='b' font-size='900em'><use xlink:href='#c'/></g>"
                + "<text id='c' font-size='900em'>W</text>"),
        document(
            "<pattern id='p' width='9' height='9'><text>W</text></pattern>"
                + nested(4, "font-size='200em'", "<rect width='9' height='9' fill='url(#p)'/>")),
        // Entities
        document("<text style='&a;'>W</text>", "<!ENTITY a 'font-size:1e7;'>"),
        document("<text font-size='&a;'>W</text>", "<!ENTITY a '1e7'>"),
        document("<text style='&a;00000'>W</text>", "<!ENTITY a 'font-size:10000'>"),
        document("<text style='&a;&b;'>W</text>", "<!ENTITY a 'font-size:10000'><!ENTITY b '00000'>"),
        document("<text style='font&a;:1e7'>W</text>", "<!ENTITY a '-size'>"),
    ]

    @Test("a text of a font size that librsvg does not bear is refused, wherever the size comes from", arguments: huge)
    func hugeFonts(text: String) throws {
        let error = #expect(throws: WebImageError.self) { try SVGText.decode(Data(text.utf8)) }
        #expect(error?.code == .badImageData)
    }

    @Test(
        "sizes that drawings have are taken, and any size where there is no text",
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
    func usualFonts(text: String) throws {
        let image = try SVGText.decode(Data(text.utf8))
        #expect(image.bitmap.bytes.contains { $0 != 0 })
    }

    @Test(
        "a rule for a language with a private part is refused",
        arguments: [
            ":lang(x-cn)", "rect:LANG(en-X-a)", "a:lang('x-b')", "g :lang( de , en-a-bbb )", "a:l\\61ng(x-cn)",
            "a:lang(\\78-cn)", "a:not(:lang(x-cn))", "a:lang(/**/x-cn)",
        ])
    func privateLanguages(selector: String) throws {
        let text = Self.document(
            "<style>\(selector){fill:red}</style><a><rect width='9' height='9'/></a>", attributes: "xml:lang='en'")
        let error = #expect(throws: WebImageError.self) { try SVGText.decode(Data(text.utf8)) }
        #expect(error?.code == .badImageData)
    }

    private static func filtered(_ primitive: String, transform: String = "") -> Data {
        let shape = "<rect x='5' y='5' width='20' height='20' filter='url(#f)'/>"
        return Data(document("<filter id='f'>\(primitive)</filter><g transform='\(transform)'>\(shape)</g>").utf8)
    }

    @Test(
        "a kernel of 400 numbers or more is refused",
        arguments: [("3", 400), ("20", 400), ("21", 441), ("1 1000", 1000), ("0", 5000)])
    func kernels(order: String, count: Int) throws {
        for separator in [" ", ",", "-"] {
            let numbers = String(repeating: "1\(separator)", count: count - 1) + "1"
            let file = Self.filtered("<feConvolveMatrix order='\(order)' kernelMatrix='\(numbers)'/>")
            #expect(throws: WebImageError.self) { try SVGText.decode(file) }
        }
    }

    @Test(
        "kernelUnitLength is ignored",
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

    @Test("selectors that are nested deep are refused, closed or not", arguments: [":not(", ":NOT(", ":not([a=')']"])
    func nestedSelectors(selector: String) throws {
        for depth in [1000, 100_000] {
            for isClosed in [true, false] {
                let end = isClosed ? String(repeating: ")", count: depth) + "{fill:red}" : ""
                let sheet = String(repeating: selector, count: depth) + "a" + end
                let text = Self.document("<style>\(sheet)</style><rect width='9' height='9'/>")
                let error = #expect(throws: WebImageError.self) { try SVGText.decode(Data(text.utf8)) }
                #expect(error?.code == .badImageData)
            }
        }
    }

    @Test(
        "rules for usual languages are taken", arguments: [":lang(en)", ":lang(de-CH-1901)", ":lang('*')", "a:not(b)"])
    func usualLanguages(selector: String) throws {
        let text = Self.document(
            "<style>\(selector){fill:red}</style><a><rect width='9' height='9'/></a>", attributes: "xml:lang='en'")
        #expect(try SVGText.decode(Data(text.utf8)).bitmap.bytes.contains { $0 != 0 })
    }
}
