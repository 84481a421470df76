import Testing
import WebImageCoders
import WebImageCore
import WebImageSVG
import WebImageTestSupport

@Suite("SVG files of the corpus", .needsCorpus)
struct SVGCorpusTests {
    private static let entries = ["svg", "gzip"].flatMap { Corpus.entries(of: $0) }
    /// In millimetres, which the manifest's decoder took for 72 pixels an inch.
    private static let sizesAt72 = ["svg/libvips/blankpage.svg", "svg/link-u/star.svg"]

    @Test("SVG files have their own size, read and drawn", arguments: entries)
    func decoding(entry: Corpus.Entry) throws {
        let data = Corpus.data(at: entry.path)
        #expect(SVGCoder().canDecode(data))
        let image = try SVGCoder().decode(data, options: ImageDecodeOptions())
        #expect(image.metadata.isVector)
        #expect(try SVGCoder().properties(of: data, isComplete: true)?.pixelSize == image.pixelSize)
        if !Self.sizesAt72.contains(entry.path) { #expect(image.pixelSize == entry.size) }
    }

    @Test("an SVG file that contains another one is drawn with it", .enabled(if: SVGText.drawsDocuments))
    func documentWithin() throws {
        let data = Corpus.data(at: "svg/resvg/\(Self.document).svg")
        let bitmap = try SVGCoder().decode(data, options: ImageDecodeOptions()).bitmap
        // The frame around all, and that of the inner document.
        #expect(bitmap.pixel(40, 1)[3] > 0 && bitmap.pixel(40, 8)[3] > 0)
        // In its own size every version draws all of it as sharp as the other renderer.
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = bitmap.size
        let entry = try #require(Self.entries.first { $0.path.contains(Self.document) })
        let reference = try PNGCoder().decode(Corpus.data(at: try #require(entry.reference)), options: options)
        #expect(bitmap.meanDifference(from: reference.bitmap, step: 3) <= 2.5)
    }

    private static let document = "structure_image/embedded-svg-with-text"

    /// Pictures that librsvg draws differently from resvg, or not at all, and the reasons; each pair was inspected, as 2.54
    /// draws it.
    private static let knownDifferences = [
        "filters_feColorMatrix/invalid-type":
            "an unknown keyword makes the filter invalid, and what it is for is hidden",
        "filters_feDropShadow/hsla-color": "has no feDropShadow, and an empty filter hides",
        "filters_feImage/link-on-an-element-with-transform": "draws the element in the filtered one's coordinates",
        "filters_feMerge/complex-transform": "merges in the other order where an inner result has another colour space",
        "filters_feMorphology/radius-with-too-many-values": "takes the first two of three numbers",
        "filters_feTile/with-subregion-2": "places tiles on parts of pixels, with soft edges",
        "filters_filter-functions/color-adjust-functions-200percent": "filter functions work in linear light",
        "filters_filter-functions/hue-rotate-function-0.25turn": "has no unit `turn`",
        "masking_mask/transform-has-no-effect": "transforms masks",
        "paint-servers_pattern/self-recursive-on-child": "clips the lines on the tile's edge",
        "paint-servers_radialGradient/recursive-xlink-href": "paints nothing with a gradient that refers to itself",
        "painting_context/with-pattern-objectBoundingBox-in-use": "has no `context-fill`, which is black then",
        "painting_stroke-linecap/zero-length-path-with-square": "draws no caps of a line without length",
        "shapes_polygon/ignore-odd-points": "a polygon with an odd number is none",
        "structure_style/invalid-type": "reads style sheets of any type",
        "structure_switch/systemLanguage=en-US": "goes by the environment's language, and tests have none",
        "structure_systemLanguage/on-tspan": "looks at systemLanguage in `switch` only",
        "structure_transform-origin/on-pattern-object-bounding-box": "has no `transform-origin`",
    ]

    /// The same for librsvg 2.60.
    private static let newerDifferences = [
        "filters_feConvolveMatrix/order-with-a-negative-value-1":
            "goes by Filter Effects, and older versions by SVG 1.1: a matrix whose size is not that of its numbers leaves the "
            + "picture as it is",
        document: "draws a document within in its size of the outer one, and enlarges these pixels with the picture",
    ]

    /// The same without gdk-pixbuf's loader for SVG.
    private static let missing = SVGText.drawsDocuments ? [] : [document]

    private static let comparable = entries.filter { entry in
        let different = knownDifferences.keys + (SVGText.isNewer ? Array(newerDifferences.keys) : []) + missing
        return entry.reference != nil && !different.contains { entry.path == "svg/resvg/\($0).svg" }
    }

    @Test("SVG files look like the pictures of another renderer", arguments: comparable)
    func references(entry: Corpus.Entry) throws {
        let reference = try PNGCoder().decode(
            Corpus.data(at: try #require(entry.reference)), options: ImageDecodeOptions())
        var options = ImageDecodeOptions()
        // References are larger or smaller than the document's own size.
        options.thumbnailPixelSize = reference.pixelSize
        options.preservesAspectRatio = false
        let image = try SVGCoder().decode(Corpus.data(at: entry.path), options: options)
        let difference = image.bitmap.meanDifference(from: reference.bitmap)
        #expect(difference <= 2.5, "\(difference)")
    }
}
