import CLibRSVG
import Foundation

/// Documents of strangers that end librsvg 2.54's process, or take its time or memory.
enum HostileSVG {
    static func file(
        _ content: String, subset: String = "", attributes: String = "", side: Int = 9
    ) -> Data {
        Data(
            """
            <!DOCTYPE svg [\(subset)]><svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
            width='\(side)' height='\(side)' \(attributes)>\(content)</svg>
            """.utf8)
    }

    static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    /// Pango's line is too high, which librsvg 2.54 panics on. Newer versions draw it: the letter lies above the picture.
    static let highText = file("<text font-size='1e7'>W</text>")

    /// Whether librsvg is of version 2.60, which Debian 13 has, or newer; Debian 12 has 2.54.
    static let isNewer = LIBRSVG_MAJOR_VERSION > 2 || LIBRSVG_MINOR_VERSION >= 60

    /// A selector whose depth overflows the stack of every version that was tried, up to 2.60.
    private static let deepSelector = file(
        "<style>\(times(100_000, ":not("))a</style><rect width='9' height='9'/>")

    /// Documents that end the process of this version of librsvg.
    static let crashes = [deepSelector] + (isNewer ? [] : [highText])

    private static func nested(
        _ depth: Int, _ attribute: String, _ content: String = "<text y='9'>W</text>"
    ) -> String {
        times(depth, "<g \(attribute)>") + content + times(depth, "</g>")
    }
}

extension HostileSVG {
    /// Lines of text that are higher than Pango can lay out.
    static let fonts: [Data] = [
        highText, file("<text font-size='+.3e6in'>W</text>"),
        file("<text font-size='1e30'>W</text>"), file("<text><tspan font-size='2000000pt'>W</tspan></text>"),
        file("<text>W</text>", attributes: "font-size='1e7'"),
        file("<text transform='scale(2147483647)'>W</text>"),
        file("<g style='transform:scale(5e4)'><g transform='matrix(5e4 0 0 5e4 0 0)'><text>W</text></g></g>"),
        file("<svg viewBox='0 0 .001 .001'><text>W</text></svg>"),
        file("<symbol id='s' viewBox='0 0 1 1'><text>W</text></symbol><use href='#s' width='1e9' height='1e9'/>"),
        file(
            "<mask id='m' maskContentUnits='objectBoundingBox'><text>W</text></mask><circle r='1e9' mask='url(#m)'/>"),
        file(
            "<marker id='m' markerWidth='9' markerHeight='9'><text>W</text></marker>"
                + "<path d='M5 5L9 9' stroke='red' stroke-width='2147483647' marker-start='url(#m)'/>"),
        file(
            "<pattern id='p' width='9' height='9' patternTransform='scale(1e6)'><text>W</text></pattern>"
                + "<rect width='9' height='9' fill='url(#p)'/>"),
        file("<text style='&t;'>W</text>", subset: "<!ENTITY t 'transform:scale(1e9);'>"),
        file("<text font-size='1000'>\(times(2500, "\u{2028}a"))</text>"),
        file("<text font-size='9999'>\(times(300, "a&#x85;"))</text>"),
        file("<text><tspan><a><a font-size='1e7'>W</a></a></tspan></text>"),
        file("<text style='font:bold 9000000px/1 Sans'>W</text>"), file("<text style='f\\6fnt-size:1e7'>W</text>"),
        file("<style>@media all{g .a,#b{font-size:1e7px}}</style><g><text id='b'>W</text></g>"),
        file(nested(4, "font-size='200em'")), file(nested(4, "font-size='20000%'")),
        file(nested(60, "style='font-size:1.5em'")), file(nested(60, "font-size='larger'")),
        file(
            "<defs><text id='a' font-size='500em'>W</text></defs>"
                + nested(2, "font-size='300em'", "<use xlink:href='#a'/>")),
        file("<text font-size='&a;'>W</text>", subset: "<!ENTITY a '1e7'>"),
        file("<text style='font&a;:1e7'>W</text>", subset: "<!ENTITY a '-size'>"),
    ]

    /// Rules and filters on which librsvg panics, or whose nesting overflows its stack.
    static let rulesAndFilters: [Data] =
        [":lang(x-cn)", "rect:LANG(en-X-a)", "a:l\\61ng(x-cn)", "a:not(:lang(x-cn))", "a:lang(/**/x-cn)"].map {
            file("<style>\($0){fill:red}</style><a><rect width='9' height='9'/></a>", attributes: "xml:lang='en'")
        }
        + [1000, 100_000].flatMap { depth in
            [times(depth, ")") + "{fill:red}", ""].map { end in
                file("<style>\(times(depth, ":not("))a\(end)</style><rect width='9' height='9'/>")
            }
        }
        + [("20", 400), ("1 1000", 1000), ("0", 5000)].map { order, count in
            filter("<feConvolveMatrix order='\(order)' kernelMatrix='\(times(count, "1 "))'/>")
        }
        + [
            "<feTurbulence numOctaves='100000000'/>", "<feTurbulence baseFrequency='.1' numOctaves='2000000000'/>",
            "<feConvolveMatrix order='40' kernelMatrix='1'/>", "<feMorphology radius='1e9'/>",
            "<feMorphology radius='-1e12'/><feMorphology radius='1e9'/>", "<feMorphology radius='nan'/>",
            "<feFlood x='5000' width='1'/><feTile/>", "<feFlood width='0' height='0'/><feTile/>",
        ].map(filter)

    private static func filter(_ primitive: String) -> Data {
        file("<filter id='f'>\(primitive)</filter><rect width='9' height='9' filter='url(#f)'/>")
    }
}

extension HostileSVG {
    /// References that draw an element a thousand million times, lead deep, or lead back.
    static let references: [Data] =
        [
            tree { "<use href='#u\($0)'/>" }, tree { "<use href='#&#117;\($0)'/>" },
            tree(container: "pattern") { "<rect width='9' height='9' fill='url(#u\($0))'/>" },
            tree(container: "pattern") { "<rect width='9' height='9' fill='u\\72l(#u\($0))'/>" },
            tree(container: "marker", levels: 3) {
                "<path d='M0 0\(times(500, "h1"))' marker-mid='url(#u\($0))'/>"
            },
            chain { "<g id='u\($0)'><use href='#u\($0 - 1)'/></g>" } + "<use href='#u999'/>",
            chain { "<pattern id='u\($0)'><rect width='9' height='9' fill='url(#u\($0 - 1))'/></pattern>" }
                + "<rect width='9' height='9' fill='url(#u999)'/>",
            "<g id='h'>\(times(5000, "<path d='M0 0h9'/>"))</g><g id='a'><use href='#b'/><use href='#h'/></g>"
                + "<g id='b'><use href='#a'/></g>\(times(100, "<use href='#b'/>"))",
            times(300, "<g>") + times(300, "</g>"), times(200_000, "<g opacity='.5'><path d='M0 0h9v9z'/></g>"),
        ].map { file($0) }
        + [
            "<g opacity='.9'>", "<svg>", "<g clip-path='url(#c)'>", "<g mask='url(#m)' filter='url(#f)'>",
        ].map { open in
            let definitions = """
                <clipPath id='c'><rect width='9' height='9'/></clipPath><mask id='m'><rect width='9' height='9' fill='white'/>
                </mask><filter id='f'><feOffset/></filter>
                """
            let close = open == "<svg>" ? open.replacing("<", with: "</") : "</g>"
            return file(definitions + times(190, open) + "<rect width='5' height='5'/>" + times(190, close))
        }

    /// Groups in groups: each shows the one before ten times.
    private static func tree(container: String = "g", levels: Int = 9, _ reference: (Int) -> String) -> String {
        let groups = (1...levels).map { level in
            "<\(container) id='u\(level)' width='1' height='1'>\(times(10, reference(level - 1)))</\(container)>"
        }
        return "<\(container) id='u0' width='1' height='1'><rect width='9' height='9'/></\(container)>"
            + groups.joined() + reference(levels)
    }

    private static func chain(_ link: (Int) -> String) -> String { (1..<1000).map(link).joined() }

    /// Tiles, surfaces and pictures of gigabytes.
    static let surfaces: [Data] = [
        file(
            "<pattern id='p' patternUnits='userSpaceOnUse' width='20000' height='20000'>"
                + "<rect width='20000' height='20000' fill='red'/></pattern><rect width='9' height='9' fill='url(#p)'/>"
        ),
        file(
            "<pattern id='p' width='1' height='1'><rect width='9' height='9' fill='red'/></pattern>"
                + "<circle r='20000' fill='none' stroke='url(#p)'/>"),
        file(times(100, "<g opacity='.9'><rect width='9' height='9'/>") + times(100, "</g>"), side: 8000),
        file(
            "<filter id='f'>\(times(100, "<feOffset/>"))</filter><rect width='8000' height='8000' filter='url(#f)'/>",
            side: 8000),
        picture("gif", gif(frames: 1, side: 65_535)), picture("gif", gif(frames: 20_000, side: 1)),
        picture("svg+xml", highText),
        picture("svg+xml", file("", attributes: "viewBox='0 0 9 9'", side: 30_000)),
    ]

    private static func picture(_ type: String, _ data: Data) -> Data {
        file("<image width='9' height='9' href='data:image/\(type);base64,\(data.base64EncodedString())'/>")
    }

    /// Frames that may be larger than the screen of one pixel.
    private static func gif(frames: Int, side: Int) -> Data {
        let sides = [UInt8(side & 255), UInt8(side >> 8), UInt8(side & 255), UInt8(side >> 8)]
        let frame = [0x2C, 0, 0, 0, 0] + sides + [0, 2, 2, 0x4C, 1, 0]
        let screen: [UInt8] = [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        return Data(Array("GIF89a".utf8) + screen + repeatElement(frame, count: frames).joined() + [0x3B])
    }

    /// A run of letters, whose time grows by the third power of their number.
    static let longText: [Data] = [
        file("<text>\(times(60_000, "a"))</text>"),
        file("<text><tspan>\(times(30_000, "a"))<!-- -->\(times(30_000, "a"))</tspan></text>"),
        file("<text>\(times(600, "&w;"))</text>", subset: "<!ENTITY w '\(times(100, "a"))'>"),
    ]
}
