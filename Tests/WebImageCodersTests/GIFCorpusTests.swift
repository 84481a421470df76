import Testing
import WebImageCoders
import WebImageTestSupport

@Suite("GIF files of the corpus", .needsCorpus)
struct GIFCorpusTests {
    @Test("GIF files decode to the pixels of other decoders, or fail cleanly", arguments: Corpus.entries(of: "gif"))
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: GIFCoder())
    }

    @Test("GIF headers are read correctly", arguments: Corpus.entries(of: "gif", .decodes))
    func properties(entry: Corpus.Entry) throws {
        try Corpus.checkProperties(entry, by: GIFCoder())
    }
}
