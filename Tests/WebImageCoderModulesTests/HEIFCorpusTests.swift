import FoundationEssentials
import Testing
import WebImageIsolation
import WebImageTestSupport

@Suite("HEIF files of the corpus", .needsCorpus, .needsDecoderProcesses)
struct HEIFCorpusTests {
    @Test("HEIF files decode to the colours of other decoders, or fail cleanly", arguments: Corpus.entries(of: "heic"))
    func decoding(entry: Corpus.Entry) {
        Corpus.checkQuadrants(entry, by: DecoderProcesses.coder(.heif))
    }

    @Test("HEIF headers are read correctly", arguments: Corpus.entries(of: "heic", .decodes))
    func properties(entry: Corpus.Entry) throws {
        // A collection of two pictures, which is no animation.
        guard entry.path != "heic/libheif/example.heic" else { return }
        try Corpus.checkProperties(entry, by: DecoderProcesses.coder(.heif))
    }
}
