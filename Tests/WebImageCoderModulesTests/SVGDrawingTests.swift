import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageSVG
import WebImageTestSupport

@Suite("SVG as common programs write it")
struct SVGDrawingTests {
    private static let red = "<rect width='60' height='20' fill='red'/>"
    private static let gradient = "<linearGradient id='g'><stop stop-color='red'/></linearGradient>"

    /// Documents of 60 × 20 pixels that are red all over.
    private static let documents = [
        "draw.io: line ends by character references in a style sheet":
            "<style>@keyframes a {&#xa;  to {&#xa;    stroke-dashoffset: 0;&#xa;  }&#xa;}</style>\(red)",
        "quotes by entities around a reference in a style":
            "\(gradient)<rect width='60' height='20' style='fill:url(&quot;#g&quot;)'/>",
        "SVG-edit: quotes by entities around a reference in an attribute":
            "\(gradient)<rect width='60' height='20' fill='url(&quot;#g&quot;)'/>",
        "quotes by entities around a font":
            "<text style='font-family:&quot;Open Sans&quot;,sans-serif;fill:url(#g)'/>\(red)",
        "an ampersand in an id":
            "<linearGradient id='R&amp;D'><stop stop-color='red'/></linearGradient>"
            + "<rect width='60' height='20' fill='url(#R&amp;D)'/>",
        "Illustrator: a font in many lines with backslashes": """
        <style type="text/css"><![CDATA[
        @font-face{font-family:'Myriad-Roman';src:url("data:;base64,\\
        T1RUTwACACAAAQAAQ0ZGINNlTZAAAAAsAAAB\\
        m2NtYXA=")}
        ]]></style>\(red)
        """,
        "CorelDRAW: a font that refers to the document's own": """
        <defs><font id="FontID0"><font-face font-family="Arial"/>
        \(String(repeating: "<glyph unicode='x' d='M0 0h10v10z'/>", count: 20))</font>
        <style type="text/css">@font-face { font-family:"Arial";src:url("#FontID0") format(svg)}</style></defs>
        \(String(repeating: "<text y='15'>ab</text>", count: 20))\(red)
        """,
        "Inkscape: many small shapes with a filter each": (0..<60).map { index in
            "<filter id='f\(index)'><feGaussianBlur stdDeviation='2'/></filter>"
                + "<circle cx='\(index)' cy='9' r='3' style='filter:url(#f\(index))'/>"
        }.joined() + red,
        "entities for styles and namespaces in the document type": "<g style='&st0;'>\(red)</g>",
        "a tile that a filter repeats": """
        <filter id='f' x='0' y='0' width='1' height='1'><feFlood flood-color='red' x='0' y='0' width='5' height='5'/>
        <feTile/></filter><rect width='60' height='20' filter='url(#f)'/>
        """,
        "a style sheet in a data: URL":
            "<style>@import url(data:text/css,rect%7Bfill:red%7D);</style><rect width='60' height='20'/>",
    ]

    @Test("the document is drawn, with all that is in it", arguments: documents)
    func drawing(program: String, content: String) throws {
        let type = "<!DOCTYPE svg [<!ENTITY st0 'stroke:none;'>]>"
        let image = try SVGText.decode(Data(type.utf8) + SVGText.file("width='60' height='20'", content))
        for x in [1, 30, 58] { #expect(image.bitmap.pixel(x, 9) == SVGText.red, "\(x)") }
    }

    private static let cases = [
        "coreldraw_ukraine", "drawio_has_one", "illustrator_font_brazil",
        "illustrator_raster_fall_coloured_leaf_geral_02",
        "min_ai", "min_corel", "min_nl", "min_q1", "min_q2", "min_q3", "min_q4", "min_q5", "svgedit_markers",
    ]

    @Test("files of people are drawn as by another program", .needsCase("min_q3.svg"), arguments: cases)
    func realFiles(name: String) throws {
        let image = try SVGText.decode(Corpus.caseData("\(name).svg"))
        let reference = try PNGCoder().decode(Corpus.caseData("ref_\(name).png"), options: ImageDecodeOptions())
        #expect(image.pixelSize == reference.pixelSize)
        guard let text = Self.texts[name] else {
            #expect(image.bitmap.meanDifference(from: reference.bitmap, step: 3) < 0.5)
            return
        }
        let plain = try SVGText.decode(SVGText.file("width='60' height='20'", text)).bitmap
        #expect(image.bitmap.bytes == plain.bytes)
        let (rows, expected) = (Self.drawnRows(of: plain), Self.drawnRows(of: reference.bitmap))
        #expect(rows.last == expected.last && abs(rows.count - expected.count) <= 2, "\(rows)")
    }

    /// Files that are nothing but letters without a font, and the same letters alone. The other program has drawn them with
    /// a font of its machine: only the place of the letters, and about their height, are the same elsewhere.
    private static let texts = [
        "min_corel": String(repeating: "<text y='15'>ab</text>", count: 10), "min_q5": "<text y='15'>abc</text>",
    ]

    private static func drawnRows(of bitmap: Bitmap) -> [Int] {
        (0..<bitmap.size.height).filter { y in (0..<bitmap.size.width).contains { bitmap.pixel($0, y)[3] > 0 } }
    }

    @Test("a part of a pixel is not stretched to a whole one: what is drawn on pixels stays there")
    func fractions() throws {
        let square = "<rect x='10' width='10' height='20' fill='red'/>"
        for (width, count) in [("48.01", 48), ("48.25", 49), ("47.99", 48)] {
            for box in ["", "viewBox='0 0 \(width) 20'"] {
                let file = SVGText.file("width='\(width)' height='20' \(box)", square)
                let bitmap = try SVGText.decode(file).bitmap
                #expect(bitmap.size == PixelSize(width: count, height: 20))
                for (x, color) in [(9, SVGText.clear), (10, SVGText.red), (19, SVGText.red), (20, SVGText.clear)] {
                    #expect(bitmap.pixel(x, 9) == color, "\(width) \(box) \(x)")
                }
            }
        }
        let last = try SVGText.decode(SVGText.file("width='48.25' height='20'")).bitmap.pixel(48, 9)
        #expect(abs(Int(last[3]) - 64) <= 1)
    }
}
