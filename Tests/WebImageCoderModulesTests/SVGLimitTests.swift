import FoundationEssentials
import Testing
import WebImage
import WebImageTestSupport

@testable import WebImageSVG

@Suite("SVG that takes much time or memory")
struct SVGLimitTests {
    @Test("entities read no files and do not multiply")
    func entities() throws {
        let external = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text y='9'>&x;</text></svg>"
        if let image = try? SVGText.decode(Data((external + text).utf8)) {
            #expect(image.bitmap.bytes.allSatisfy { $0 == 0 })
        }
        var laughs = "<!DOCTYPE svg [<!ENTITY a0 '<g/>'>"
        for level in 1...12 {
            laughs += "<!ENTITY a\(level) '" + String(repeating: "&a\(level - 1);", count: 10) + "'>"
        }
        laughs += "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&a12;</svg>"
        let data = Data(laughs.utf8)
        #expect(throws: WebImageError.self) { try SVGText.decode(data) }
    }

    @Test("a tile without size, outside of its filter or smaller than a pixel ends no process", arguments: ["", "s:"])
    func tiles(prefix: String) throws {
        let root = "<\(prefix)svg xmlns='http://www.w3.org/2000/svg' xmlns:s='http://www.w3.org/2000/svg'"
        func document(_ flood: String) -> String {
            let tile = "<\(prefix)feTile in='f'></\(prefix)feTile>"
            let filter =
                "<\(prefix)filter id='f'><\(prefix)feFlood flood-color='red' result='f' \(flood)/>\(tile)</\(prefix)filter>"
            return
                "\(root) width='200' height='200'>\(filter)<\(prefix)rect width='200' height='200' filter='url(#f)'/>"
                + "</\(prefix)svg>"
        }
        for flood in ["x='20' y='20' width='10' height='10'", "x='5000' width='1'", "width='0' height='0'", ""] {
            for side in [1, 2, 9, 200] {
                let size = PixelSize(width: side, height: side)
                let image = try SVGText.decode(Data(document(flood).utf8), box: size)
                #expect(image.pixelSize == size)
                if flood.isEmpty { #expect(image.bitmap.bytes.contains { $0 != 0 }) }
            }
        }
        let wide = try #require("\u{FEFF}\(document(""))".data(using: .utf16LittleEndian))
        #expect(throws: WebImageError.self) { try SVGText.decode(wide) }
    }

    @Test(
        "a run of very many letters is refused, whatever hides it; as many in several runs are drawn",
        arguments: [
            ("<text>\(letterRun(15_000))</text>", true), ("<text><tspan>\(letterRun(15_000))</tspan></text>", true),
            ("<text>\(letterRun(8000))<!-- -->\(letterRun(8000))</text>", true),
            ("<text>\(letterRun(8000))<![CDATA[\(letterRun(8000))]]></text>", true),
            (
                "<defs><text id='t'>\(letterRun(9000))</text></defs>" + String(repeating: "<use href='#t'/>", count: 9),
                true
            ),
            (String(repeating: "<text>\(letterRun(5000))</text>", count: 26), true),
            ("<text>\(letterRun(15_000))", true),
            (String(repeating: "<text>\(letterRun(500))</text>", count: 30), false),
            ("<text>" + String(repeating: "<tspan>\(letterRun(500))</tspan>", count: 30) + "</text>", false),
            ("<desc>\(letterRun(100_000))</desc><text>a</text>", false),
        ])
    func letters(content: String, isRefused: Bool) throws {
        let file = SVGText.file("width='9' height='9'", content)
        if isRefused {
            let error = #expect(throws: WebImageError.self) { try SVGText.decode(file) }
            #expect(error?.code == .limitExceeded && error?.reason.contains("letters") == true)
        } else {
            _ = try SVGText.decode(file)
        }
    }

    @Test("letters of entities count, and those of nested ones without end")
    func entityLetters() throws {
        func file(_ entities: String, _ content: String) -> Data {
            let type = "<!DOCTYPE svg [\(entities)]>"
            return Data("\(type)<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\(content)</svg>".utf8)
        }
        let word = "<!ENTITY w '\(letterRun(100))'>"
        let many = String(repeating: "&w;", count: 150)
        #expect(throws: WebImageError.self) { try SVGText.decode(file(word, "<text>\(many)</text>")) }
        let nested = word + "<!ENTITY n '&w;'>"
        #expect(throws: WebImageError.self) { try SVGText.decode(file(nested, "<text>&n;</text>")) }
        _ = try SVGText.decode(file(word, "<text>&w; &amp; &w;</text>"))
    }

    @Test("elements without number or depth are refused, by the name of the limit")
    func elementLimits() {
        let deep = String(repeating: "<g>", count: 300) + String(repeating: "</g>", count: 300)
        let many = String(repeating: "<g/>", count: 3000)
        var options = ImageDecodeOptions()
        options.limits.maximumElementCount = 2000
        for (content, name) in [(deep, "maximumElementDepth"), (many, "maximumElementCount")] {
            let error = #expect(throws: WebImageError.self) {
                try SVGCoder().decode(SVGText.file("width='9' height='9'", content), options: options)
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
            let error = #expect(throws: WebImageError.self) {
                try SVGText.decode(SVGText.file("width='9' height='9'", bomb))
            }
            #expect(error?.code == .limitExceeded || error?.code == .badImageData)
        }
    }

    @Test("a document that refers to itself is drawn")
    func cycles() throws {
        let content =
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/><rect width='9' height='9' fill='red'/></g>"
        _ = try? SVGText.decode(SVGText.file("width='9' height='9'", content))
        #expect(throws: WebImageError.self) {
            try SVGText.decode(
                Data("<!DOCTYPE svg [<!ENTITY a '<g/>'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>".utf8))
        }
        #expect(throws: WebImageError.self) {
            try SVGText.decode(Data("<?xml version='1.0' encoding='UTF-7'?><svg/>".utf8))
        }
    }

    @Test("every kind of group is drawn up to the limit of depth")
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
            _ = try? SVGText.decode(SVGText.file("width='9' height='9'", content))
        }
    }

    @Test("properties respect the given limits")
    func propertyLimits() throws {
        let file = SVGText.file("width='9' height='9'", String(repeating: "<g/>", count: 100))
        var options = ImageDecodeOptions()
        #expect(try SVGCoder().properties(of: file, isComplete: true, options: options)?.pixelSize.width == 9)
        options.limits.maximumElementCount = 50
        let error = #expect(throws: WebImageError.self) {
            try SVGCoder().properties(of: file, isComplete: true, options: options)
        }
        #expect(error?.reason.contains("maximumElementCount") == true)
    }

    @Test("a cancellation is noticed while the work of a document is counted")
    func cancellation() throws {
        let file = SVGText.file("width='9' height='9'", String(repeating: "<g/>", count: 100))
        try file.withUnsafeBytes { bytes throws in
            var options = ImageDecodeOptions()
            let markup = try SVGMarkup(bytes, options: options)
            _ = try SVGWork(markup, options: options)
            let flag = CancellationFlag()
            options.cancellation = flag
            flag.cancel()
            let error = #expect(throws: WebImageError.self) { try SVGWork(markup, options: options) }
            #expect(error?.isCancelled == true)
            #expect(throws: WebImageError.self) { try SVGMarkup(bytes, options: options) }
        }
    }

    @Test("pixels beyond the limits are refused before they are drawn")
    func pixelLimits() throws {
        for attributes in [
            "width='1000000' height='1000000'", "width='40000' height='2'", "width='1e9' height='1e9'",
            "width='1e12' height='9'", "width='9' height='1e30'",
        ] {
            let error = #expect(throws: WebImageError.self) { try SVGText.decode(SVGText.file(attributes)) }
            #expect(error?.code == .limitExceeded)
        }
        #expect(throws: WebImageError.self) { try SVGText.decode(SVGText.file("width='0' height='5'")) }
        for (attributes, size) in [
            ("width='1e9' height='1e9'", "10×10"), ("width='2e10' height='1e10'", "10×5"),
            ("width='1e30' height='1e30'", "10×10"),
        ] {
            let file = SVGText.file("viewBox='0 0 9 9' \(attributes)")
            let image = try SVGText.decode(file, box: PixelSize(width: 10, height: 10))
            #expect(image.pixelSize.description == size)
        }
    }

    @Test("groups within each other hold no more surfaces than the limit of pixels allows")
    func surfaces() throws {
        func nested(_ count: Int, _ open: String) -> Data {
            let groups = (0..<count).reduce("<rect width='9' height='9'/>") { content, _ in "\(open)\(content)</g>" }
            let definitions = """
                <filter id='f'><feOffset/></filter><mask id='m'><rect width='9' height='9' fill='white'/></mask>
                <clipPath id='c'><rect width='9' height='9'/></clipPath>
                """
            return SVGText.file("width='9' height='9'", definitions + groups)
        }
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 2 * 81
        for open in [
            "<g opacity='.5'>", "<g style='opacity:.5'>", "<g mask='url(#m)'>", "<g filter='url(#f)'>",
            "<g clip-path='url(#c)' opacity='.5'>",
        ] {
            let error = #expect(throws: WebImageError.self, "\(open)") {
                try SVGCoder().decode(nested(12, open), options: options)
            }
            #expect(error?.code == .limitExceeded && error?.reason.contains("maximumPixelCount") == true, "\(open)")
        }
        #expect(try SVGCoder().decode(nested(3, "<g opacity='.5'>"), options: options).pixelSize.width == 9)
        options.limits.maximumPixelCount = 9 * 81
        #expect(try SVGCoder().decode(nested(12, "<g opacity='.5'>"), options: options).pixelSize.width == 9)
    }

    @Test("effects count with the scale of the more enlarged side, and each primitive of a filter counts")
    func effectScale() throws {
        let file = SVGText.file(
            "width='9' height='9'",
            "<filter id='f'><feMorphology radius='1'/></filter><rect width='9' height='9' filter='url(#f)'/>")
        var options = ImageDecodeOptions()
        options.limits.maximumEffectPixelCount = 1_000_000
        options.thumbnailPixelSize = PixelSize(width: 9, height: 900)
        #expect(try SVGCoder().decode(file, options: options).pixelSize.height == 9)
        options.preservesAspectRatio = false
        let error = #expect(throws: WebImageError.self) { try SVGCoder().decode(file, options: options) }
        #expect(error?.reason.contains("maximumEffectPixelCount") == true)
        let offsets = String(repeating: "<feOffset/>", count: 100)
        let many = SVGText.file(
            "width='9' height='9'", "<filter id='f'>\(offsets)</filter><rect width='9' height='9' filter='url(#f)'/>")
        options = ImageDecodeOptions()
        options.limits.maximumEffectPixelCount = 350 * 81
        #expect(throws: WebImageError.self) { try SVGCoder().decode(many, options: options) }
    }
}

private func letterRun(_ count: Int) -> String { String(repeating: "a", count: count) }
