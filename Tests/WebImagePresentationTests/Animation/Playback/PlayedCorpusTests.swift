import Testing
import WebImageCoders
import WebImageCore
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImagePresentation
@testable import WebImageTestDoubles

/// The frames that a player shows of real files, in every order. Those of the files in their own order equal other
/// decoders' frames, as the tests of coders show.
@MainActor
@Suite("Player: animations of the corpus", .needsCorpus, .timeLimit(.minutes(5)))
struct PlayedCorpusTests {
    nonisolated static let files = ["gif", "apng", "webp"].flatMap { Corpus.animations(of: $0).prefix(20) }

    @Test("a player shows the same frames forwards, backwards, to and fro, and at random", arguments: files)
    func frames(entry: Corpus.Entry) throws {
        let data = Corpus.data(at: entry.path)
        let coder = ImageCodersManager(coders: [GIFCoder(), PNGCoder(), WebPCoder()])
        let expected = try coder.makeAnimation(of: data, options: ImageDecodeOptions())
        let count = expected.frameCount
        guard count > 1, count <= 40, try expected.frame(at: 0).byteCount < 4 << 20 else { return }
        let references = try (0..<count).map { Digest.sha256(try expected.frame(at: $0).bytes) }
        for mode in AnimatedImagePlaybackMode.allCases {
            let stage = try Playing(try coder.makeAnimation(of: data, options: ImageDecodeOptions()), mode)
            stage.play(until: 2 * count + 2)
            for (index, digest) in stage.shown { #expect(digest == references[index], "frame \(index), \(mode)") }
            #expect(stage.shown.count == 2 * count + 2)
        }
        let stage = try Playing(try coder.makeAnimation(of: data, options: ImageDecodeOptions()), .normal)
        var random = SplitMix(state: 3)
        for _ in 0..<min(20, 2 * count) {
            let index = Int.random(in: 0..<count, using: &random)
            stage.player.seekToFrame(at: index)
            stage.decode()
            #expect(stage.shown.last?.index == index && stage.shown.last?.digest == references[index])
        }
    }

    /// A player of any animation, and the digests of what it has shown.
    @MainActor
    private final class Playing {
        let clock = ManualAnimationClock()
        let jobs = HeldJobs()
        let player: AnimatedImagePlayer
        private(set) var shown: [(index: Int, digest: String)] = []

        init(_ animation: any AnimatedImageProvider, _ mode: AnimatedImagePlaybackMode) throws {
            let pool = FramePool(animation, frameByteCount: try animation.frame(at: 0).byteCount, queue: jobs.queue)
            player = try #require(AnimatedImagePlayer(animation, clock: clock, pool: pool))
            player.playbackMode = mode
            player.totalLoopCount = 0
            player.frameHandler = { [unowned self] in shown.append(($0, Digest.sha256($1.bytes))) }
        }

        func decode() {
            while jobs.count > 0 {
                jobs.run()
                player.update()
            }
        }

        func play(until count: Int) {
            player.startPlaying()
            decode()
            while shown.count < count, let next = clock.nextTime {
                clock.advance(by: next - clock.now)
                decode()
            }
        }
    }
}
