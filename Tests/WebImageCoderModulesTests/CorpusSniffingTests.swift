import Testing
import WebImageCore
import WebImageTestSupport

@Suite("Formats of the corpus's files", .needsCorpus)
struct CorpusSniffingTests {
    @Test(
        "AVIF, HEIF and JPEG XL are recognised by their bytes",
        arguments: ["avif", "heic", "jxl"].flatMap { Corpus.entries(of: $0, .decodes) })
    func sniffing(entry: Corpus.Entry) {
        let expected: [String: Set<ImageFormat>] = ["avif": [.avif], "heic": [.heic, .heif], "jxl": [.jpegXL]]
        let format = ImageFormat(sniffing: Corpus.data(at: entry.path))
        #expect(expected[entry.format]?.contains(format) == true, "sniffed as \(format)")
    }
}
