import FoundationEssentials
import Testing
import WebImageAVIF
import WebImageCore
import WebImageJXL
import WebImageTestSupport

@Suite("Animations of the corpus in AVIF and JPEG XL", .needsCorpus)
struct CorpusAnimationTests {
    private static let entries = ["avif", "jxl"].flatMap { Corpus.entries(of: $0, .decodes) }
        .filter { $0.frameCount ?? 1 > 1 }

    @Test("every frame decodes, in any order to the same pixels", arguments: entries)
    func frames(entry: Corpus.Entry) throws {
        let coder: any AnimatedImageCoder = entry.format == "avif" ? AVIFCoder() : JXLCoder()
        let data = Corpus.data(at: entry.path)
        let animation = try coder.makeAnimation(of: data, options: .storedPixels)
        #expect(animation.frameCount == entry.frameCount)
        let digests = try (0..<animation.frameCount).map { try Digest.sha256(animation.frame(at: $0).bytes) }
        let again = try coder.makeAnimation(of: data, options: .storedPixels)
        for index in (0..<animation.frameCount).reversed().prefix(12) {
            #expect(try Digest.sha256(again.frame(at: index).bytes) == digests[index], "frame \(index)")
        }
        let still = try coder.decode(data, options: .storedPixels)
        #expect(Digest.sha256(still.bitmap.bytes) == digests.first)
    }
}
