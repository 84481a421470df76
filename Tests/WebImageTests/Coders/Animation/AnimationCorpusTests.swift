import WebImageTestSupport
import Testing
import WebImage

@Suite("Animations of the corpus", .enabled(if: Corpus.isPresent, "there is no corpus"))
struct AnimationCorpusTests {
    @Test("GIF frames are what others see", arguments: Corpus.animations(of: "gif"))
    func gif(entry: Corpus.Entry) throws { try Corpus.checkFrames(entry, by: GIFCoder()) }

    @Test("APNG frames are what others see", arguments: Corpus.animations(of: "apng"))
    func apng(entry: Corpus.Entry) throws { try Corpus.checkFrames(entry, by: PNGCoder()) }

    @Test("BCO-7 WebP frames are what others see", arguments: Corpus.animations(of: "webp"))
    func webP(entry: Corpus.Entry) throws { try Corpus.checkFrames(entry, by: WebPCoder()) }

    @Test("COD-5 S4-18 BCO-11 GIF animations grow as they come", arguments: Corpus.animations(of: "gif"))
    func growingGIF(entry: Corpus.Entry) throws { try Corpus.checkGrowing(entry, by: GIFCoder()) }

    @Test("COD-5 S4-18 BCO-11 APNG animations grow as they come", arguments: Corpus.animations(of: "apng"))
    func growingAPNG(entry: Corpus.Entry) throws {
        // Of a default image that is no frame nothing is shown, and one frame is no animation.
        guard try PNGCoder().makeAnimation(of: Corpus.data(at: entry.path), options: .storedPixels).frameCount > 1
        else { return }
        try Corpus.checkGrowing(entry, by: PNGCoder())
    }

    @Test("COD-5 S4-18 BCO-11 WebP animations grow as they come", arguments: Corpus.animations(of: "webp"))
    func growingWebP(entry: Corpus.Entry) throws { try Corpus.checkGrowing(entry, by: WebPCoder()) }
}
