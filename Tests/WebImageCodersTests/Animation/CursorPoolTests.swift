import Dispatch
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("Cursors of an animation", .timeLimit(.minutes(5)))
struct CursorPoolTests {
    /// Counts the cursors in use at the same time.
    private final class Presence: Sendable {
        private struct State {
            var count = 0
            var maximum = 0
            var gate: Gate?
        }

        private let state = Mutex(State())
        private let expected: Int

        /// - Parameter expected: The number that must be in use before any continues.
        init(expected: Int) {
            self.expected = expected
            state.withLock { $0.gate = Gate() }
        }

        var maximum: Int { state.withLock { $0.maximum } }

        func visit() {
            let gate = state.withLock { state in
                state.count += 1
                state.maximum = max(state.maximum, state.count)
                if state.count == expected { state.gate?.open() }
                return state.gate
            }
            gate?.waitBlocking()
            state.withLock { $0.count -= 1 }
        }
    }

    @Test("BCO-13 the canvases of frames are released after five seconds without a request, and a poster keeps nothing")
    func idle() throws {
        let pool = CursorPool<Cursor>(cursorByteCount: 1000)
        let presence = Presence(expected: 1)
        let options = ImageDecodeOptions()
        _ = try pool.bitmap(at: 0, in: presence, options: options, keepsCursor: false)
        #expect(pool.heldByteCount == 0)
        let before = ContinuousClock.now
        _ = try pool.bitmap(at: 0, in: presence, options: options)
        #expect(pool.heldByteCount == 1000)
        pool.dropIdle(at: before + .milliseconds(4990))
        #expect(pool.heldByteCount == 1000)
        pool.dropIdle(at: .now + .milliseconds(5010))
        #expect(pool.heldByteCount == 0)
    }

    /// The cost of each frame is its index.
    private final class Cursor: FrameCursor {
        func cost(of index: Int, in frames: Presence) -> Int { index + 1 }

        func bitmap(
            at index: Int, in frames: Presence, options: ImageDecodeOptions
        ) throws(WebImageError) -> Bitmap {
            frames.visit()
            return try Bitmap(size: .square(1), pixels: [0, 0, 0, 255])
        }
    }

    @Test(
        "COD-3 as many threads decode at once as memory allows, no more",
        arguments: [(1000, 4), (100 << 20, 2), (1 << 40, 1)])
    func bounds(byteCount: Int, count: Int) async {
        let pool = CursorPool<Cursor>(cursorByteCount: byteCount)
        let presence = Presence(expected: count)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    await withCheckedContinuation { done in
                        let thread = DispatchQueue(label: "cursor \(index)")
                        thread.async {
                            _ = try? pool.bitmap(at: index, in: presence, options: ImageDecodeOptions())
                            done.resume()
                        }
                    }
                }
            }
        }
        #expect(presence.maximum == count)
    }
}
