import FoundationEssentials
import Testing
import WebImage
import WebImageSVG
import WebImageTestSupport

@Suite("SVG")
struct SVGCoderTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let clear: [UInt8] = [0, 0, 0, 0]

    private func svg(_ attributes: String, _ content: String = "<rect width='100%' height='100%' fill='red'/>") -> Data
    {
        Data("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>".utf8)
    }

    private func decode(_ data: Data, box: PixelSize? = nil) throws -> Image {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = box
        return try SVGCoder().decode(data, options: options)
    }

    @Test(
        "without a box the size is the document's own",
        arguments: [
            ("width='20' height='10'", 20, 10), ("width='1in' height='2.54cm'", 96, 96),
            ("width='72pt' height='25.4mm'", 96, 96), ("viewBox='0 0 30 40'", 30, 40),
            ("width='60' viewBox='0 0 30 40'", 60, 80), ("height='80' viewBox='0 0 30 40'", 60, 80),
            ("width='100%' height='100%' viewBox='0 0 7 9'", 7, 9), ("", 300, 150), ("width='2em' height='1.2'", 32, 2),
        ])
    func naturalSize(attributes: String, width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        #expect(try SVGCoder().properties(of: svg(attributes), isComplete: true)?.pixelSize == size)
        #expect(try decode(svg(attributes)).pixelSize == size)
    }

    @Test("B35 THB-7 a box may enlarge a picture of shapes, and has no margins")
    func boxes() throws {
        let file = svg("width='36' height='18'")
        let image = try decode(file, box: PixelSize(width: 50, height: 50))
        #expect(image.pixelSize == PixelSize(width: 50, height: 25))
        #expect(image.bitmap.pixel(0, 0) == Self.red && image.bitmap.pixel(49, 24) == Self.red)
        #expect(image.metadata.isVector && image.metadata.originalPixelSize == PixelSize(width: 36, height: 18))
        #expect(try decode(file, box: PixelSize(width: 9, height: 90)).pixelSize == PixelSize(width: 9, height: 5))
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 50, height: 50)
        options.preservesAspectRatio = false
        #expect(try SVGCoder().decode(file, options: options).pixelSize == PixelSize(width: 50, height: 50))
        options.scaleDownLimitBytes = 4 * 18 * 9
        #expect(try SVGCoder().decode(file, options: options).pixelSize == PixelSize(width: 18, height: 9))
    }

    @Test("16 bits a channel are the 8 that are drawn, times 257", arguments: [true, false])
    func deep(isPremultiplied: Bool) throws {
        let file = svg("width='3' height='2'", "<rect width='2' height='2' fill='#ff8000' fill-opacity='0.5'/>")
        var options = ImageDecodeOptions()
        options.pixelFormat = isPremultiplied ? .rgba16Premultiplied : .rgba16Straight
        let deep = try SVGCoder().decode(file, options: options).bitmap
        options.pixelFormat = isPremultiplied ? .rgba8Premultiplied : .rgba8Straight
        let flat = try SVGCoder().decode(file, options: options).bitmap
        #expect(deep.format.bitsPerChannel == 16)
        for x in 0..<3 {
            let channels = deep.withUnsafeBytes { $0.bindMemory(to: UInt16.self)[x * 4..<x * 4 + 4].map(Int.init) }
            for (channel, expected) in zip(channels, flat.pixel(x, 0)) {
                #expect(abs(channel - Int(expected) * 257) <= 257)
            }
        }
    }

    @Test("translucent colours are premultiplied or straight, as asked for")
    func alpha() throws {
        let file = svg("width='2' height='2'", "<rect width='2' height='2' fill='#ff8000' fill-opacity='0.5'/>")
        let pixel = try decode(file).bitmap.pixel(1, 1)
        #expect(pixel[3] == 128 && pixel[0] == 128 && abs(Int(pixel[1]) - 64) <= 1)
        let straight = try SVGCoder().decode(file, options: .storedPixels).bitmap.pixel(1, 1)
        #expect(straight[0] == 255 && abs(Int(straight[1]) - 128) <= 1 && straight[3] == 128)
    }

    @Test(
        "SVG is told from its first element, whatever stands before it",
        arguments: [
            "\u{FEFF}<svg ", "  \n<?xml version='1.0'?><svg>", "<!DOCTYPE svg [<!ENTITY a '<b>'>]><svg ",
            "<!--\(String(repeating: "licence ", count: 1000))--><svg\n", "<svg:svg xmlns:svg='x'>", "<svg/>",
        ])
    func sniffing(text: String) {
        #expect(SVGCoder().canDecode(Data(text.utf8)))
    }

    @Test(
        "what is no SVG is not taken for one",
        arguments: ["", "<", "<svgx>", "<html><svg>", "text <svg>", "<!-- <svg>"])
    func otherText(text: String) {
        #expect(!SVGCoder().canDecode(Data(text.utf8)))
    }

    @Test("UTF-16 is read as well")
    func wideText() throws {
        let text =
            "<?xml version='1.0' encoding='UTF-16'?><svg xmlns='http://www.w3.org/2000/svg' width='3' height='4'/>"
        let data = Data([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        #expect(try decode(data).pixelSize == PixelSize(width: 3, height: 4))
    }

    @Test("nothing is loaded from files or networks; pictures in the document are drawn")
    func references() throws {
        let bitmap = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: Self.red)
        let png = try PNGCoder().encode(Image(bitmap: bitmap), to: .png, options: ImageEncodeOptions())
        let path = "/tmp/webimage-svg-\(UInt32.random(in: 0 ... .max)).png"
        try png.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        func document(_ address: String) -> Data {
            svg("width='4' height='4'", "<image width='4' height='4' href='\(address)'/>")
        }
        for address in ["file://\(path)", path, "../../../../../../../..\(path)", "http://127.0.0.1:9/a.png"] {
            #expect(try decode(document(address)).bitmap.pixel(2, 2) == Self.clear, "\(address)")
        }
        let inside = document("data:image/png;base64,\(png.base64EncodedString())")
        #expect(try decode(inside).bitmap.pixel(2, 2) == Self.red)
    }

    @Test("entities read no files and do not multiply")
    func entities() throws {
        let external = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text y='9'>&x;</text></svg>"
        if let image = try? decode(Data((external + text).utf8)) {
            #expect(image.bitmap.bytes.allSatisfy { $0 == 0 })
        }
        var laughs = "<!DOCTYPE svg [<!ENTITY a0 '<g/>'>"
        for level in 1...12 {
            laughs += "<!ENTITY a\(level) '" + String(repeating: "&a\(level - 1);", count: 10) + "'>"
        }
        laughs += "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&a12;</svg>"
        let data = Data(laughs.utf8)
        #expect(throws: WebImageError.self) { try decode(data) }
    }

    @Test("elements without number or depth are refused, by the name of the limit")
    func elementLimits() {
        let deep = String(repeating: "<g>", count: 300) + String(repeating: "</g>", count: 300)
        let many = String(repeating: "<g/>", count: 3000)
        var options = ImageDecodeOptions()
        options.limits.maximumElementCount = 2000
        for (content, name) in [(deep, "maximumElementDepth"), (many, "maximumElementCount")] {
            let error = #expect(throws: WebImageError.self) {
                try SVGCoder().decode(svg("width='9' height='9'", content), options: options)
            }
            #expect(error?.code == .limitExceeded && error?.reason.contains(name) == true)
        }
    }

    @Test("references that multiply or lead too deep, and filters without end, are refused before librsvg gets them")
    func bombs() {
        func group(_ index: Int, _ content: String) -> String { "<g id='u\(index)'>\(content)</g>" }
        func filter(_ primitive: String) -> String {
            "<filter id='f'>\(primitive)</filter><rect width='9' height='9' filter='url(#f)'/>"
        }
        let chain = (1..<1000).map { group($0, "<use href='#u\($0 - 1)'/>") }.joined()
        let tree = (1..<12).map { group($0, String(repeating: "<use href='#u\($0 - 1)'/>", count: 10)) }.joined()
        let patterns = (1..<100).map { index in
            "<pattern id='p\(index)'><rect style='fill: url( \"#p\(index - 1)\")'/></pattern>"
        }.joined()
        let bombs = [
            group(0, "<g/>") + chain + "<use href='#u999'/>", group(0, "<g/>") + tree + "<use href='#u11'/>",
            patterns + "<rect fill='url(#p99)'/>", filter("<feTurbulence numOctaves='100000000'/>"),
            filter("<feConvolveMatrix order='40' kernelMatrix='1'/>"), filter("<feMorphology radius='1e9'/>"),
        ]
        for bomb in bombs {
            let error = #expect(throws: WebImageError.self) { try decode(svg("width='9' height='9'", bomb)) }
            #expect(error?.code == .limitExceeded || error?.code == .badImageData)
        }
    }

    /// Ten times ten times ten and so on of an element, by `reference`, which makes what goes into a group of level's
    /// number; and what begins the document.
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

    @Test("references are found however they are written, and what hides them is refused")
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
            // A group hands its filling on to all that is in it.
            tree(container: "pattern", levels: 5) { level in
                "<g fill='url(#u\(level))'>" + String(repeating: "<rect width='9' height='9'/>", count: 10) + "</g>"
            },
            tree(container: "marker", levels: 3) {
                "<path d='M0 0\(String(repeating: "h1", count: 500))' marker-mid='url(#u\($0))'/>"
            },
        ]
        for (index, document) in documents.enumerated() {
            let error = #expect(throws: WebImageError.self, "\(index)") {
                try decode(svg("width='9' height='9'", document))
            }
            #expect(error?.code == .limitExceeded || error?.code == .badImageData, "\(index)")
        }
    }

    @Test(
        "numbers below nothing do not make up for others; names with prefixes and defaults of attributes hide nothing")
    func hiddenEffects() {
        func filter(_ primitives: String) -> String {
            "<filter id='f'>\(primitives)</filter><rect width='9' height='9' filter='url(#f)'/>"
        }
        let documents = [
            filter("<feMorphology radius='-1e12'/><feMorphology radius='1e9'/>"),
            filter("<feMorphology radius='nan'/>"),
            filter("<s:feTurbulence xmlns:s='http://www.w3.org/2000/svg' numOctaves='100000000'/>"),
        ].map { svg("width='9' height='9'", $0) }
        let defaults = [
            "<!ATTLIST feTurbulence numOctaves CDATA '100000000'>", "<!ATTLIST use href CDATA '#a'>",
            "<!ENTITY a 'url(#b)'>", "<!ENTITY a '&#60;g/>'>",
        ].map { "<!DOCTYPE svg [\($0)]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>" }
        for document in documents + defaults.map({ Data($0.utf8) }) {
            #expect(throws: WebImageError.self) { try decode(document) }
        }
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
        let image = try decode(Data(text.utf8))
        #expect(image.bitmap.pixel(4, 4)[0] > 100 && image.bitmap.pixel(4, 4)[1] == 0)
    }

    @Test("letters of UTF-16 whose halves look like markup are none")
    func wideMarkup() throws {
        // U+2F3C and U+3E67: "</" and "g>" in the low byte first order.
        let bomb = tree { "\u{2F3C}\u{3E67}<use href='#u\($0)'/>" }
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\(bomb)</svg>"
        let data = Data([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        let error = #expect(throws: WebImageError.self) { try decode(data) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a document that refers to itself is drawn")
    func cycles() throws {
        let content =
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/><rect width='9' height='9' fill='red'/></g>"
        _ = try? decode(svg("width='9' height='9'", content))
        #expect(throws: WebImageError.self) {
            try decode(
                Data("<!DOCTYPE svg [<!ENTITY a '<g/>'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>".utf8))
        }
        #expect(throws: WebImageError.self) { try decode(Data("<?xml version='1.0' encoding='UTF-7'?><svg/>".utf8)) }
    }

    @Test("as deep as the limit allows, every kind of group is drawn")
    func deep() throws {
        let kinds = [
            ("<g opacity='0.9'>", "</g>"), ("<svg>", "</svg>"), ("<g clip-path='url(#c)'>", "</g>"),
            ("<g mask='url(#m)' filter='url(#f)'>", "</g>"),
        ]
        let definitions = """
            <clipPath id='c'><rect width='9' height='9'/></clipPath><mask id='m'><rect width='9' height='9' fill='white'/>
            </mask><filter id='f'><feOffset/></filter>
            """
        for (open, close) in kinds {
            let content =
                definitions + String(repeating: open, count: 190) + "<rect width='5' height='5'/>"
                + String(repeating: close, count: 190)
            _ = try? decode(svg("width='9' height='9'", content))
        }
    }

    @Test("pixels beyond the limits are refused before they are drawn")
    func pixelLimits() {
        for attributes in ["width='1000000' height='1000000'", "width='40000' height='2'"] {
            let error = #expect(throws: WebImageError.self) { try decode(svg(attributes)) }
            #expect(error?.code == .limitExceeded)
        }
        #expect(throws: WebImageError.self) { try decode(svg("width='0' height='5'")) }
    }

    @Test("a document that was cut is an error wherever it was")
    func truncation() throws {
        let data = svg("width='9' height='9'", "<g><rect width='5' height='5'/></g>")
        _ = try decode(data)
        for count in 0..<data.count {
            #expect(throws: WebImageError.self) { try decode(data.prefix(count)) }
        }
    }

    @Test("files damaged at random decode or fail, and nothing worse", arguments: 1...2)
    func mutations(seed: Int) throws {
        let data = svg(
            "width='40' height='30' viewBox='0 0 80 60'",
            """
            <defs><linearGradient id='a'><stop offset='0' stop-color='red'/><stop offset='1'/></linearGradient></defs>
            <g transform='rotate(10)'><path d='M1,2 L30 40 C1,2,3,4,5,6 Z' fill='url(#a)' stroke='blue'/></g>
            <text x='3' y='9' font-size='7'>ab</text><use href='#b'/><circle id='b' cx='5' cy='5' r='4'/>
            """)
        var mutator = FileMutator(seed: UInt64(seed))
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 16
        for _ in 0..<700 { _ = try? SVGCoder().decode(mutator.mutate(data), options: options) }
    }
}
