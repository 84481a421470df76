import Testing
import WebImage
import WebImageTestSupport

@Suite("BMP files of the corpus", .enabled(if: Corpus.isPresent, "there is no corpus"))
struct BMPCorpusTests {
    /// Fax compression, which nobody but the suite's author has seen in a BMP.
    private static let refused: Set = ["bmp/bmpsuite/q/pal1huffmsb.bmp"]

    @Test("BMP files decode to the pixels that others see, or fail cleanly", arguments: Corpus.entries(of: "bmp"))
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: BMPCoder())
    }

    @Test("BMP headers are read as they are", arguments: Corpus.entries(of: "bmp", .decodes))
    func properties(entry: Corpus.Entry) throws {
        try Corpus.checkProperties(entry, by: BMPCoder())
    }

    @Test(
        "all good and questionable files of bmpsuite look like one of its references",
        arguments: Corpus.entries(of: "bmp").filter { $0.reference != nil && !refused.contains($0.path) })
    func references(entry: Corpus.Entry) throws {
        var options = ImageDecodeOptions.storedPixels
        options.convertsToSRGB = true
        let image = try BMPCoder().decode(Corpus.data(at: entry.path), options: options)
        // A byte of more or fewer bits is rounded by some and cut by others; a profile is applied with some error.
        let tolerance = entry.path.contains("prof") ? 10 : entry.path.contains("/rgb") ? 1 : 0
        let distance = try #require(try Corpus.distance(of: image, toReferencesOf: entry))
        #expect(distance <= tolerance)
    }

    @Test("fax compression is refused by name", arguments: Corpus.entries.filter { refused.contains($0.path) })
    func fax(entry: Corpus.Entry) {
        let error = #expect(throws: WebImageError.self) {
            try BMPCoder().decode(Corpus.data(at: entry.path), options: ImageDecodeOptions())
        }
        #expect(error?.reason.contains("huffman") == true)
    }
}
