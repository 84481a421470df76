import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Animations of the corpus", .needsCorpus)
struct AnimationCorpusTests {
    @Test("GIF frames equal those of other decoders", arguments: Corpus.animations(of: "gif"))
    func gif(entry: Corpus.Entry) throws { try Corpus.checkFrames(entry, by: GIFCoder()) }

    @Test("APNG frames equal those of other decoders", arguments: Corpus.animations(of: "apng"))
    func apng(entry: Corpus.Entry) throws { try Corpus.checkFrames(entry, by: PNGCoder()) }

    @Test("BCO-7 WebP frames equal those of other decoders", arguments: Corpus.animations(of: "webp"))
    func webP(entry: Corpus.Entry) throws { try Corpus.checkFrames(entry, by: WebPCoder()) }

    @Test(
        "frames that other decoders compose against the standards follow the standards",
        arguments: Corpus.otherFrames.sorted())
    func bySpecification(path: String) throws { try Corpus.checkAgainstSpecification(path) }

    @Test(
        "the slow way gives the frames of other decoders, too",
        arguments: Corpus.animations(of: "apng").prefix(12) + Corpus.animations(of: "gif").prefix(6))
    func slowWay(entry: Corpus.Entry) throws { try Corpus.checkAgainstSpecification(entry.path) }

    @Test("COD-5 S4-18 BCO-11 GIF animations grow as they arrive", arguments: Corpus.animations(of: "gif"))
    func growingGIF(entry: Corpus.Entry) throws { try Corpus.checkGrowing(entry, by: GIFCoder()) }

    @Test("COD-5 S4-18 BCO-11 APNG animations grow as they arrive", arguments: Corpus.animations(of: "apng"))
    func growingAPNG(entry: Corpus.Entry) throws {
        // A default image that is no frame is not shown, and one frame is no animation.
        guard try PNGCoder().makeAnimation(of: Corpus.data(at: entry.path), options: .storedPixels).frameCount > 1
        else { return }
        try Corpus.checkGrowing(entry, by: PNGCoder())
    }

    @Test("COD-5 S4-18 BCO-11 WebP animations grow as they arrive", arguments: Corpus.animations(of: "webp"))
    func growingWebP(entry: Corpus.Entry) throws { try Corpus.checkGrowing(entry, by: WebPCoder()) }
}
