import FoundationEssentials
import Testing
import WebImageAVIF
import WebImageCore
import WebImageTestSupport

@Suite("AVIF files of the corpus", .needsCorpus)
struct AVIFCorpusTests {
    @Test("AVIF files decode to the colours of other decoders, or fail cleanly", arguments: Corpus.entries(of: "avif"))
    func decoding(entry: Corpus.Entry) {
        guard !Self.cropped.contains(entry.path), entry.path != Self.opaque else { return }
        Corpus.checkQuadrants(entry, by: AVIFCoder())
    }

    @Test("AVIF headers are read correctly", arguments: Corpus.entries(of: "avif", .decodes))
    func properties(entry: Corpus.Entry) throws {
        guard !Self.cropped.contains(entry.path), entry.path != Self.opaque else { return }
        try Corpus.checkProperties(entry, by: AVIFCoder())
    }

    @Test(
        "files with properties in two boxes look like their origin",
        arguments: Corpus.entries(of: "avif", .decodes).filter { $0.path.hasPrefix("avif/link-u-alpha/") })
    func mended(entry: Corpus.Entry) throws {
        let image = try AVIFCoder().decode(Corpus.data(at: entry.path), options: .storedPixels)
        let reference = try Corpus.reference(#require(entry.references.first))
        #expect(image.bitmap.meanDifference(from: reference) < 8)
    }

    @Test(
        "crop, turn and mirror give the upright picture",
        arguments: Corpus.entries(of: "avif", .decodes).filter {
            $0.referenceMode == "oriented"
        })
    func orientation(entry: Corpus.Entry) throws {
        let image = try AVIFCoder().decode(Corpus.data(at: entry.path), options: ImageDecodeOptions())
        let difference = try image.bitmap.meanDifference(from: Corpus.reference(#require(entry.references.first)))
        #expect(difference < 5)
    }

    @Test("rows that are converted in bands equal those of the whole picture")
    func bands() throws {
        let data = Corpus.data(at: Self.mirrored)
        let stored = try AVIFCoder().decode(data, options: .storedPixels).bitmap
        var options = ImageDecodeOptions.storedPixels
        options.appliesOrientation = true
        let seen = try AVIFCoder().decode(data, options: options).bitmap
        for y in [0, 63, 64, 65, 127, 128, stored.size.height - 1] {
            for x in stride(from: 0, to: stored.size.width, by: 17) {
                #expect(seen.pixel(stored.size.width - 1 - x, y) == stored.pixel(x, y))
            }
        }
    }

    private static let mirrored = "orientation/avif-pillow/rot2mir0.avif"
    /// libavif 0.11 does not find the alpha of a grid that is no grid itself.
    private static let opaque = "avif/libavif/color_grid_alpha_nogrid.avif"
    /// Pillow ignores the crop.
    private static let cropped: Set = ["orientation/kimono/kimono.crop.avif"]
}
