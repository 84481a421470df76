import Testing
import WebImage

@Suite("PNG files of the corpus", .enabled(if: Corpus.isPresent, "there is no corpus"))
struct PNGCorpusTests {
    @Test(
        "PNG files decode to the pixels that others see, or fail cleanly",
        arguments: ["png", "apng"].flatMap { Corpus.entries(of: $0) })
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: PNGCoder())
    }

    @Test("PNG headers are read as they are", arguments: ["png", "apng"].flatMap { Corpus.entries(of: $0, .decodes) })
    func properties(entry: Corpus.Entry) throws {
        try Corpus.checkProperties(entry, by: PNGCoder())
    }
}
