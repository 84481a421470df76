import Synchronization
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Animations of whole frames")
struct SequentialAnimationTests {
    /// Records the calls of all decoders of an animation.
    private final class Journal: Sendable {
        private let words = Mutex<[String]>([])

        func note(_ word: String) { words.withLock { $0.append(word) } }

        func take() -> [String] {
            words.withLock { words in
                defer { words = [] }
                return words
            }
        }
    }

    /// Frames of one pixel whose red is the frame's index; every third is a key frame.
    private final class Decoder: WholeFrameDecoder {
        private let journal: Journal
        private var next = 0

        init(_ journal: Journal) {
            self.journal = journal
            journal.note("made")
        }

        func nextFrame(options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
            journal.note("\(next)")
            guard next != 7 else { throw .damaged(.avif, "frame 7 is scripted so") }
            defer { next += 1 }
            return try Bitmap(size: .square(1), pixels: [UInt8(next), 0, 0, 255])
        }

        func seek(to index: Int) throws(WebImageError) -> Int {
            next = index / 3 * 3
            return next
        }
    }

    private let journal = Journal()

    private func makeAnimation() -> SequentialAnimation {
        let journal = journal
        return SequentialAnimation(
            milliseconds: [Int](repeating: 40, count: 10), loopCount: 2, data: nil, decoderByteCount: 100,
            options: ImageDecodeOptions()
        ) { Decoder(journal) }
    }

    @Test("COD-3 playing forward decodes one frame for each shown one, with one decoder")
    func forward() throws {
        let animation = makeAnimation()
        for index in 0..<7 { #expect(try animation.frame(at: index).pixel(0, 0)[0] == UInt8(index)) }
        #expect(journal.take() == ["made", "0", "1", "2", "3", "4", "5", "6"])
        #expect(try animation.frame(at: 0).pixel(0, 0)[0] == 0)
        #expect(journal.take() == ["0"])
    }

    @Test("another order begins where the decoder can")
    func seeking() throws {
        let animation = makeAnimation()
        #expect(try animation.frame(at: 5).pixel(0, 0)[0] == 5)
        #expect(journal.take() == ["made", "3", "4", "5"])
        #expect(try animation.frame(at: 5).pixel(0, 0)[0] == 5)
        #expect(journal.take() == [])
    }

    @Test("after a frame that cannot be decoded a new decoder begins")
    func failure() throws {
        let animation = makeAnimation()
        #expect(throws: WebImageError.self) { try animation.frame(at: 7) }
        #expect(try animation.frame(at: 4).pixel(0, 0)[0] == 4)
        #expect(journal.take() == ["made", "6", "7", "made", "3", "4"])
    }

    @Test("durations follow the same rule as everywhere, and frames are kept on request")
    func durationsAndPreloading() throws {
        let animation = makeAnimation()
        #expect(animation.duration(at: 9) == .milliseconds(40))
        #expect(throws: WebImageError.self) { try animation.frame(at: 10) }
        // One frame is damaged, so the animation cannot preload all of them.
        animation.preloadAllFrames()
        #expect(!animation.isAllFramesLoaded)
    }
}
