import FoundationEssentials
import Testing
import WebImage
import WebImageSVG
import WebImageTestSupport

@Suite("Patterns in SVG")
struct SVGPatternTests {
    /// Patterns for which librsvg would allocate a few megapixels or more, in a picture of 81 pixels.
    private static let large = [
        "a tile larger than the picture":
            "\(pattern("patternUnits='userSpaceOnUse' width='2000' height='2000'"))\(painted)",
        "in millimetres": "\(pattern("patternUnits='userSpaceOnUse' width='500mm' height='500mm'"))\(painted)",
        "a shape larger than the picture":
            "\(pattern("width='1' height='1'"))<rect width='2000' height='2000' fill='url(#p)'/>",
        "a shape sized by a style":
            "<style>.a{width:2000px;height:2000px}</style>\(pattern("width='1' height='1'"))<rect class='a' fill='url(#p)'/>",
        "a path": "\(pattern("width='1' height='1'"))<path d='M0 0c0 0 0 0 0 2000h1000,1e3z' fill='url(#p)'/>",
        "an arc": "\(pattern("width='1' height='1'"))<path d='M0 0A2000 2000 0 119 9' fill='url(#p)'/>",
        "an arc that is too flat": "\(pattern("width='1' height='1'"))<path d='M0 0A1e-9 1 0 019 9' fill='url(#p)'/>",
        "a polygon": "\(pattern("width='1' height='1'"))<polygon points='0,0 2000,0 2000,2000' fill='url(#p)'/>",
        "an ellipse": "\(pattern("width='1' height='1'"))<ellipse rx='1000' fill='url(#p)'/>",
        "a text": "\(pattern("width='1' height='1'"))<text y='9' font-size='2000' fill='url(#p)'>abc</text>",
        "a line around a shape":
            "\(pattern("width='1' height='1'"))<circle r='1000' fill='none' stroke='url(#p)'/>",
        "enlarged": "\(pattern(small))<g transform='translate(1) scale(200)'>\(painted)</g>",
        "enlarged by a matrix":
            "\(pattern(small))<rect width='9' height='9' transform='matrix(0 150 150 0 0 0)' fill='url(#p)'/>",
        "turned and flat, so that the box around it is larger than it":
            "\(pattern("width='1' height='1'"))<rect width='90' height='1' transform='matrix(1 1 1 1.001 0 0)' fill='url(#p)'/>",
        "enlarged by a style": "\(pattern(small))<g style='transform:scale(200)'>\(painted)</g>",
        "enlarged by a sheet": "<style>g{transform:scale(200)}</style>\(pattern(small))<g>\(painted)</g>",
        "enlarged by itself": "\(pattern("\(small) patternTransform='scale(200)'"))\(painted)",
        "enlarged by a view box":
            "\(pattern(small))<svg width='9' height='9' viewBox='0 0 .01 .01'>\(painted)</svg>",
        "enlarged where it is used":
            "\(pattern(small))<symbol id='s' viewBox='0 0 1 1'>\(painted)</symbol><use href='#s' width='200' height='200'/>",
        "in a marker":
            "\(pattern(small))<marker id='m' markerWidth='200' markerHeight='200' viewBox='0 0 1 1'>\(painted)</marker>"
            + "<path d='M0 0h9' stroke='red' marker-start='url(#m)'/>",
        "in a mask of the size of what it is for":
            "\(pattern(small))<mask id='m' maskContentUnits='objectBoundingBox'>\(painted)</mask>"
            + "<rect width='300' height='300' mask='url(#m)'/>",
        "inherited from a group":
            "\(pattern("width='1' height='1'"))<g fill='url(#p)'><g><rect width='2000' height='2000'/></g></g>",
        "inherited where it is used":
            "\(pattern("width='1' height='1'"))<rect id='r' width='2000' height='2000'/><use fill='url(#p)' href='#r'/>",
        "sized by another pattern":
            "\(pattern("patternUnits='userSpaceOnUse' width='2000' height='2000'", id: "q"))<pattern id='p' href='#q'/>\(painted)",
        "by parts of the viewport": "<svg viewBox='0 0 2000 2000' width='2000' height='2000'>"
            + "\(pattern("patternUnits='userSpaceOnUse' width='100%' height='100%'"))\(painted)</svg>",
        "drawn on another tile": pattern(small) + pattern("\(small) viewBox='0 0 .01 .01'", id: "q", content: painted)
            + "<rect width='9' height='9' fill='url(#q)'/>",
        "in parts of another tile": pattern(small)
            + pattern("width='1' height='1' patternContentUnits='objectBoundingBox'", id: "q", content: painted)
            + "<rect width='300' height='300' fill='url(#q)'/>",
        "what a filter paints with":
            "\(pattern("width='1' height='1'"))<filter id='f'><feOffset in='FillPaint'/></filter>"
            + "<g fill='url(#p)' filter='url(#f)'><path d='M0 0h1v1z'/><path d='M2000 2000h1v1z'/></g>",
        "of a size by an entity":
            "\(pattern("patternUnits='userSpaceOnUse' width='2&#48;00' height='2000'"))\(painted)",
    ]

    private static let small = "patternUnits='userSpaceOnUse' width='9' height='9'"
    private static let painted = "<rect width='9' height='9' fill='url(#p)'/>"

    private static func pattern(
        _ attributes: String, id: String = "p", content: String = "<rect width='9' height='9' fill='red'/>"
    ) -> String {
        "<pattern id='\(id)' \(attributes)>\(content)</pattern>"
    }

    private static func options(pixelCount: Int) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = pixelCount
        return options
    }

    @Test("tiles with more pixels than the limit are refused, however they become large", arguments: large)
    func tiles(name: String, content: String) throws {
        let file = SVGText.file("width='9' height='9'", content)
        let error = #expect(throws: WebImageError.self) {
            try SVGCoder().decode(file, options: Self.options(pixelCount: 1 << 18))
        }
        #expect(error?.code == .limitExceeded && error?.reason.contains("maximumPixelCount") == true)
    }

    @Test("a small tile is drawn, and counts with its size in the requested picture")
    func enlarged() throws {
        let file = SVGText.file("width='9' height='9'", Self.pattern(Self.small) + Self.painted)
        var options = Self.options(pixelCount: 1 << 18)
        #expect(try SVGCoder().decode(file, options: options).bitmap.pixel(4, 4) == SVGText.red)
        options.limits.maximumPixelCount = 500 * 500
        options.thumbnailPixelSize = PixelSize(width: 500, height: 500)
        #expect(try SVGCoder().decode(file, options: options).bitmap.pixel(499, 499) == SVGText.red)
        // 81 units instead of 9: the tile alone has 81 times the pixels.
        let wide = SVGText.file(
            "width='9' height='9'", Self.pattern(Self.small.replacing("'9'", with: "'81'")) + Self.painted)
        #expect(throws: WebImageError.self) { try SVGCoder().decode(wide, options: options) }
        options.thumbnailPixelSize = nil
        _ = try SVGCoder().decode(wide, options: options)
    }

    @Test("tiles on tiles count together, tiles one after another do not")
    func nested() throws {
        func patterns(_ count: Int) -> String {
            (0..<count).map { index in
                Self.pattern(
                    "patternUnits='userSpaceOnUse' width='100' height='100'", id: "p\(index)",
                    content: "<rect width='100' height='100' fill='url(#p\(index + 1))'/>")
            }.joined()
        }
        let options = Self.options(pixelCount: 100 * 100)
        let one = (0..<9).map { "<rect width='9' height='9' fill='url(#p\($0))'/>" }.joined()
        let others = patterns(9).replacing("fill='url", with: "fill='blue' id='")
        _ = try SVGCoder().decode(SVGText.file("width='9' height='9'", others + one), options: options)
        let first = "<rect width='9' height='9' fill='url(#p0)'/>"
        _ = try SVGCoder().decode(SVGText.file("width='9' height='9'", patterns(2) + first), options: options)
        let error = #expect(throws: WebImageError.self) {
            try SVGCoder().decode(SVGText.file("width='9' height='9'", patterns(9) + first), options: options)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a pattern that is drawn repeatedly counts as passes over its pixels")
    func passes() {
        let file = SVGText.file(
            "width='9' height='9'",
            Self.pattern("patternUnits='userSpaceOnUse' width='200' height='200'")
                + String(repeating: Self.painted, count: 100))
        var options = ImageDecodeOptions()
        options.limits.maximumEffectPixelCount = 99 * 200 * 200
        let error = #expect(throws: WebImageError.self) { try SVGCoder().decode(file, options: options) }
        #expect(error?.reason.contains("maximumEffectPixelCount") == true)
    }

    @Test("hatches, textures and icons of common files keep to small limits")
    func usualPatterns() throws {
        let hatch = Self.pattern("\(Self.small) patternTransform='rotate(45) scale(.5)'")
        let shapes = (0..<500).map { "<path d='M\($0) \($0)h9v9z' fill='url(#p)'/>" }.joined()
        let tartan = Self.pattern("width='.1' height='.1' viewBox='0 0 10 10'", id: "t")
        let icon = "<symbol id='i' viewBox='0 0 24 24'><circle r='12' cx='12' cy='12' fill='url(#t)'/></symbol>"
        let uses = "<use href='#i' width='24' height='24'/><rect width='500' height='500' fill='url(#t)'/>"
        let text = "<text x='20' y='40' font-size='20' fill='url(#p)'>some words</text>"
        let file = SVGText.file(
            "width='500' height='500' viewBox='0 0 500 500'", hatch + tartan + icon + uses + shapes + text)
        let image = try SVGCoder().decode(file, options: Self.options(pixelCount: 500 * 500))
        #expect(image.pixelSize == PixelSize(width: 500, height: 500))
    }
}
