import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@Suite("WebP files of the corpus", .needsCorpus)
struct WebPCorpusTests {
    @Test("WebP files decode to the pixels of other decoders, or fail cleanly", arguments: Corpus.entries(of: "webp"))
    func decoding(entry: Corpus.Entry) {
        Corpus.checkDecoding(entry, by: WebPCoder())
    }

    @Test("WebP headers are read correctly", arguments: Corpus.entries(of: "webp", .decodes))
    func properties(entry: Corpus.Entry) throws {
        try Corpus.checkProperties(entry, by: WebPCoder())
    }

    @Test("WebP pixels equal those of libwebp's own test suite, written as PAM", arguments: Self.digests)
    func conformance(digest: (name: String, digest: String)) throws {
        let data = Corpus.data(at: "webp/libwebp-test-data/\(digest.name)")
        let image = try WebPCoder().decode(data, options: .storedPixels)
        let file = try PAMEncoder().encode(image, to: .pam, options: ImageEncodeOptions())
        #expect(Digest.md5(file) == digest.digest)
    }

    /// Lines of `digest  name.webp.pam`.
    private static let digests: [(name: String, digest: String)] = {
        let lines = (Corpus.text(of: "webp/libwebp-test-data/libwebp_tests.md5") ?? "").split(separator: "\n")
        return lines.filter { $0.hasSuffix(".pam") }.compactMap { line in
            let words = line.split(separator: " ")
            guard let digest = words.first, let name = words.last?.dropLast(4) else { return nil }
            return (String(name), String(digest))
        }.filter { !Corpus.data(at: "webp/libwebp-test-data/\($0.name)").isEmpty }
    }()
}
