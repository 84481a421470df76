import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@Suite("ICO and CUR files of the corpus", .needsCorpus)
struct ICOCorpusTests {
    private static let entries = ["ico", "cur"].flatMap { Corpus.entries(of: $0) }

    @Test("icons decode to the pixels of other decoders, or fail cleanly", arguments: entries)
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: ICOCoder())
    }

    @Test("the headers of icons are read correctly", arguments: entries.filter { $0.expectation == .decodes })
    func properties(entry: Corpus.Entry) throws {
        try Corpus.checkProperties(entry, by: ICOCoder())
    }

    @Test("icons look like their origins' references", arguments: entries.filter { $0.reference != nil })
    func references(entry: Corpus.Entry) throws {
        let image = try ICOCoder().decode(Corpus.data(at: entry.path), options: .storedPixels)
        #expect(try Corpus.distance(of: image, toReferencesOf: entry) == 0)
    }
}
