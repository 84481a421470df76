import FoundationEssentials
import Testing
import WebImage
import WebImageJXL
import WebImageTestSupport

@Suite("JPEG XL files of the corpus", .needsCorpus)
struct JXLCorpusTests {
    @Test(
        "JPEG XL files decode to the colours of other decoders, or fail cleanly", arguments: Corpus.entries(of: "jxl"))
    func decoding(entry: Corpus.Entry) {
        // The manifest's means come from a decoder that decodes these wrongly and rotates them; they have references.
        guard entry.reference == nil else { return }
        Corpus.checkQuadrants(entry, by: JXLCoder())
    }

    /// The manifest has them upright, without their orientation.
    private static let oriented: Set = [
        "jxl/conformance/bench_oriented_brg/bench_oriented_brg.jxl", "jxl/conformance/sunset_logo/sunset_logo.jxl",
    ]

    @Test("JPEG XL headers are read correctly", arguments: Corpus.entries(of: "jxl", .decodes))
    func properties(entry: Corpus.Entry) throws {
        guard !Self.oriented.contains(entry.path) else { return }
        try Corpus.checkProperties(entry, by: JXLCoder())
    }

    @Test(
        "JPEG XL pixels equal those of the conformance suite",
        arguments: Corpus.entries(of: "jxl", .decodes).filter { $0.reference?.hasSuffix(".png") == true })
    func conformance(entry: Corpus.Entry) throws {
        let image = try JXLCoder().decode(Corpus.data(at: entry.path), options: ImageDecodeOptions())
        let reference = try ImageCodersManager.shared.decode(
            Corpus.data(at: #require(entry.references.first)), options: ImageDecodeOptions())
        #expect(image.bitmap.meanDifference(from: reference.bitmap) < 1)
    }
}
