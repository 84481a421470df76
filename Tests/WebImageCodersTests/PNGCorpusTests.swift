import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@Suite("PNG files of the corpus", .needsCorpus)
struct PNGCorpusTests {
    @Test(
        "PNG files decode to the pixels of other decoders, or fail cleanly",
        arguments: ["png", "apng"].flatMap { Corpus.entries(of: $0) })
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: PNGCoder())
    }

    @Test("PNG headers are read correctly", arguments: ["png", "apng"].flatMap { Corpus.entries(of: $0, .decodes) })
    func properties(entry: Corpus.Entry) throws {
        try Corpus.checkProperties(entry, by: PNGCoder())
    }

    @Test(
        "a picture with a wide or linear profile looks like its sRGB twin",
        arguments: Corpus.entries(of: "png").filter { $0.category == "icc-pair" || $0.note.contains("wide-gamut ICC") })
    func profiles(entry: Corpus.Entry) throws {
        let twin = try PNGCoder().decode(Corpus.data(at: #require(entry.reference)), options: ImageDecodeOptions())
        let image = try PNGCoder().decode(Corpus.data(at: entry.path), options: ImageDecodeOptions())
        #expect(image.bitmap.meanDifference(from: twin.bitmap) <= 2.5)
        let properties = try PNGCoder().properties(of: Corpus.data(at: entry.path), isComplete: true)
        #expect(properties?.iccProfileName?.isEmpty == false)
    }
}
