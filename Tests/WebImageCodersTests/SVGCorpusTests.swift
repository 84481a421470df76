import Testing
import WebImage
import WebImageSVG
import WebImageTestSupport

@Suite("SVG files of the corpus", .enabled(if: Corpus.isPresent, "there is no corpus"))
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

    /// What librsvg 2.54 draws in another way than resvg, or not at all.
    private static let knownDifferences: Set = [
        "filters_feColorMatrix/invalid-type",
        "filters_feDropShadow/hsla-color",
        "filters_feImage/link-on-an-element-with-transform",
        "filters_feMerge/complex-transform",
        "filters_feMorphology/radius-with-too-many-values",
        "filters_feTile/with-subregion-2",
        "filters_filter-functions/color-adjust-functions-200percent",
        "filters_filter-functions/hue-rotate-function-0.25turn",
        "masking_mask/transform-has-no-effect",
        "paint-servers_pattern/self-recursive-on-child",
        "paint-servers_radialGradient/recursive-xlink-href",
        "painting_context/with-pattern-objectBoundingBox-in-use",
        "painting_stroke-linecap/zero-length-path-with-square",
        "shapes_polygon/ignore-odd-points",
        "structure_image/embedded-jpeg-as-image-jpg",
        "structure_style/invalid-type",
        "structure_switch/systemLanguage=en-US",
        "structure_systemLanguage/on-tspan",
        "structure_transform-origin/on-pattern-object-bounding-box",
    ]

    private static let comparable = entries.filter { entry in
        entry.reference != nil && !knownDifferences.contains { entry.path == "svg/resvg/\($0).svg" }
    }

    @Test("SVG files look like another renderer's pictures", arguments: comparable)
    func references(entry: Corpus.Entry) throws {
        let reference = try PNGCoder().decode(
            Corpus.data(at: try #require(entry.reference)), options: ImageDecodeOptions())
        var options = ImageDecodeOptions()
        // References are drawn larger or smaller than the document's own size.
        options.thumbnailPixelSize = reference.pixelSize
        options.preservesAspectRatio = false
        let image = try SVGCoder().decode(Corpus.data(at: entry.path), options: options)
        let difference = image.bitmap.meanDifference(from: reference.bitmap)
        #expect(difference <= 2.5, "\(difference)")
    }
}
