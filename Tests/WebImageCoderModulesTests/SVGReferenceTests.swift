import FoundationEssentials
import Testing
import WebImage
import WebImageSVG
import WebImageTestSupport

@Suite("SVG with hidden references")
struct SVGReferenceTests {
    /// Nested references that multiply an element by ten at each level. `reference` makes the content of a group from
    /// the number of its level; the other arguments begin the document.
    private func tree(
        _ head: String = "", container: String = "g", levels: Int = 9, _ reference: (Int) -> String
    ) -> String {
        let groups = (1...levels).map { level in
            "<\(container) id='u\(level)' \(Self.patternSize)>"
                + String(repeating: reference(level - 1), count: 10) + "</\(container)>"
        }
        return head + "<\(container) id='u0' \(Self.patternSize)><rect width='9' height='9'/></\(container)>"
            + groups.joined() + reference(levels)
    }

    private static let patternSize = "width='1' height='1'"

    @Test("references are found in every spelling, and hidden ones are refused")
    func hiddenReferences() {
        let use = { (level: Int) in "<use href='#u\(level)'/>" }
        func rect(_ attributes: @escaping (Int) -> String) -> (Int) -> String {
            { "<rect width='9' height='9' \(attributes($0))/>" }
        }
        let pad = String(repeating: " ", count: 70_000)
        let rules = (0...9).map { "g.c\($0), .b { fill: url(#u\($0)) }" }.joined()
        let documents = [
            tree { "<use xmlns:x='http://www.w3.org/1999/xlink' x:href='#u\($0)'/>" },
            tree { "<s:use xmlns:s='http://www.w3.org/2000/svg' href='#u\($0)'/>" },
            tree { "<use href='#&#117;\($0)'/>" },
            tree { level in use(level).replacing("<use", with: "<?x </g></g> ?><use") },
            tree(container: "pattern", rect { "fill='URL(#u\($0))'" }),
            tree(container: "pattern", rect { "fill='u\\72l(#u\($0))'" }),
            tree(container: "pattern", rect { "fill='u&#114;l(#u\($0))'" }),
            tree(container: "pattern", rect { "fill='url(\t#u\($0))'" }),
            tree(container: "pattern", rect { "fill='url&#40;#u\($0))'" }),
            tree(container: "pattern", rect { "style='fill:url&#40;#u\($0))'" }),
            tree(
                "<style>g{x:\"/*\"} \(rules.replacing(".c0,", with: ".c0, x{/*\"*/x:1}"))</style>",
                container: "pattern",
                rect { "class='c\($0) b'" }),
            tree(container: "pattern", rect { "style='fill:/*;*/url(#u\($0))'" }),
            tree(container: "pattern", rect { "style=\"fill:url(' #u\($0) ')\"" }),
            tree(container: "pattern", rect { "fill='url(#u\($0))\(pad)'" }),
            tree("<style>\(rules)</style>", container: "pattern", rect { "class='c\($0) b'" }),
            tree(
                "<style><![CDATA[/* </style> */ \(rules)]]></style>", container: "pattern", rect { "class='b c\($0)'" }),
            tree("<style>.b<!-- -->{}\(rules)</style>", container: "pattern", rect { "class='b c\($0)'" }),
            tree(
                "<style>\(rules.replacing("}", with: "}\u{308}\r\n"))</style>", container: "pattern",
                rect { "class='b c\($0)'" }),
            // A group passes its fill on to all elements in it.
            tree(container: "pattern", levels: 5) { level in
                "<g fill='url(#u\(level))'>" + String(repeating: "<rect width='9' height='9'/>", count: 10) + "</g>"
            },
            tree(container: "marker", levels: 3) {
                "<path d='M0 0\(String(repeating: "h1", count: 500))' marker-mid='url(#u\($0))'/>"
            },
        ]
        for (index, document) in documents.enumerated() {
            let error = #expect(throws: WebImageError.self, "\(index)") {
                try SVGText.decode(SVGText.file("width='9' height='9'", document))
            }
            #expect(error?.code == .limitExceeded || error?.code == .badImageData, "\(index)")
        }
    }

    @Test(
        "a name in the document type that looks like a tag hides no elements",
        arguments: ["<!DOCTYPE svg SYSTEM \"<a b=\">", "<!DOCTYPE svg [<!NOTATION n SYSTEM \"<a b=\">]>"])
    func literals(declaration: String) {
        let document = SVGText.file("width='9' height='9'", tree { "<use href='#u\($0)'/>" })
        let error = #expect(throws: WebImageError.self) {
            try SVGText.decode(Data(declaration.utf8) + document + Data("<!-- \"/> -->".utf8))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test(
        "negative numbers do not compensate for others; names with prefixes and default attributes hide nothing")
    func hiddenEffects() {
        func filter(_ primitives: String) -> String {
            "<filter id='f'>\(primitives)</filter><rect width='9' height='9' filter='url(#f)'/>"
        }
        let documents = [
            filter("<feMorphology radius='-1e12'/><feMorphology radius='1e9'/>"),
            filter("<feMorphology radius='nan'/>"),
            filter("<s:feTurbulence xmlns:s='http://www.w3.org/2000/svg' numOctaves='100000000'/>"),
        ].map { SVGText.file("width='9' height='9'", $0) }
        let defaults = [
            "<!ATTLIST feTurbulence numOctaves CDATA '100000000'>", "<!ATTLIST use href CDATA '#a'>",
            "<!ENTITY a 'url(#b)'>", "<!ENTITY a '&#60;g/>'>",
        ].map { "<!DOCTYPE svg [\($0)]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>" }
        for document in documents + defaults.map({ Data($0.utf8) }) {
            #expect(throws: WebImageError.self) { try SVGText.decode(document) }
        }
    }

    @Test(
        "an element that is drawn elsewhere is painted and counted as in its own place",
        arguments: ["pattern", "marker", "mask"])
    func inheritedWithin(container: String) {
        let rects = String(repeating: "<path d='M0 0h9v9z'/>", count: 10)
        let properties = ["pattern": "fill", "marker": "marker-start", "mask": "fill"]
        let property = properties[container] ?? ""
        let inner = container == "mask" ? "pattern" : container
        let groups = (1...9).map { level in
            "<g \(property)='url(#u\(level - 1))'><\(inner) id='u\(level)' \(Self.patternSize)>\(rects)</\(inner)></g>"
        }
        let last = "<g \(property)='url(#u9)'><\(container) id='m'>\(rects)</\(container)></g>"
        let shown =
            container == "mask" ? "<path d='M0 0h9' mask='url(#m)'/>" : "<path d='M0 0h9' \(property)='url(#u9)'/>"
        let file = SVGText.file(
            "width='9' height='9'", "<\(inner) id='u0'>\(rects)</\(inner)>" + groups.joined() + last + shown)
        let error = #expect(throws: WebImageError.self) { try SVGText.decode(file) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a reference back to itself counts wherever it is drawn")
    func cycles() {
        let many = "<g id='h'>\(String(repeating: "<path d='M0 0h9'/>", count: 5000))</g>"
        let content = "<g id='a'><use href='#b'/><use href='#h'/></g><g id='b'><use href='#a'/></g>"
        let file = SVGText.file(
            "width='9' height='9'", many + content + String(repeating: "<use href='#b'/>", count: 100))
        let error = #expect(throws: WebImageError.self) { try SVGText.decode(file) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("gradients, classes, namespaces in entities and many shapes in one style are no bombs")
    func usualDocuments() throws {
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

    @Test("letters of UTF-16 with halves like markup are no markup")
    func wideMarkup() throws {
        // U+2F3C and U+3E67: "</" and "g>" in the low byte first order.
        let bomb = tree { "\u{2F3C}\u{3E67}<use href='#u\($0)'/>" }
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\(bomb)</svg>"
        let data = Data([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        let error = #expect(throws: WebImageError.self) { try SVGText.decode(data) }
        #expect(error?.code == .limitExceeded)
    }
}
