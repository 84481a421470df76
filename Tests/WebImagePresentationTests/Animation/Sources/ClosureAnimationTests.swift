import Dispatch
import Synchronization
import Testing
import WebImageCore
import WebImagePresentation
import WebImageTestSupport

@Suite("Animations of an asynchronous function", .timeLimit(.minutes(5)))
struct ClosureAnimationTests {
    private struct Failure: Error {}

    private static func frame(_ value: Int, side: Int = 2) throws -> Bitmap {
        let pixels = [[UInt8]](repeating: [UInt8(value), 0, 0, 255], count: side * side).flatMap { $0 }
        return try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels)
    }

    /// Calls `body` on a thread of Dispatch's, as players do.
    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { done in DispatchQueue.global().async { done.resume(returning: body()) } }
    }

    @Test("frames are those that the function makes, in any order")
    func frames() async throws {
        let animation = try ClosureAnimation(durations: [.milliseconds(5), .milliseconds(9)], loopCount: 4) { index in
            await Task.yield()
            return try Self.frame(index + 7)
        }
        #expect(animation.frameCount == 2 && animation.loopCount == 4)
        #expect(animation.duration(at: 1) == .milliseconds(9) && animation.duration(at: 2) == .zero)
        let colors = await Self.onThread { [1, 0, 1].map { try? animation.frame(at: $0).pixel(0, 0)[0] } }
        #expect(colors == [8, 7, 8])
        #expect(await Self.onThread { (try? animation.frame(at: 2)) == nil })
        let image = try await animation.makeImage(scale: 2)
        #expect(image.scale == 2 && image.metadata.frameCount == 2 && image.metadata.loopCount == 4)
        #expect(image.animation === animation && image.bitmap.pixel(0, 0)[0] == 7)
    }

    @Test("more frames are waited for on the threads of tasks than there are such threads")
    func crowd() async throws {
        let animation = try ClosureAnimation(frameCount: 200) { index in
            await Task.yield()
            return try await withThrowingTaskGroup(of: Bitmap.self) { group in
                group.addTask { try Self.frame(index) }
                return try await group.next() ?? Self.frame(0)
            }
        }
        // Blocking here is what apps should not do, and yet comes to an end.
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<200 {
                group.addTask { Int(try animation.frame(at: index).pixel(0, 0)[0]) == index ? 1 : 0 }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 200)
    }

    @Test("an error of the function is the frame's; later frames are made")
    func failures() async throws {
        let animation = try ClosureAnimation(frameCount: 4) { index in
            switch index {
            case 1: throw Failure()
            case 2: throw WebImageError(.fileNotFound, stage: .load, kind: .permanent, reason: "gone")
            default: return try Self.frame(index)
            }
        }
        let codes = await Self.onThread {
            (0..<4).map { index -> WebImageError? in
                do throws(WebImageError) { _ = try animation.frame(at: index) } catch { return error }
                return nil
            }
        }
        #expect(codes.map(\.?.code) == [nil, .badImageData, .fileNotFound, nil])
        #expect(codes[1]?.underlying is Failure && codes[1]?.reason.contains("frame 1") == true)
    }

    @Test("a frame of another size is refused, whichever is asked for first")
    func sizes() async throws {
        let animation = try ClosureAnimation(frameCount: 2) { index in try Self.frame(index, side: index + 1) }
        let error = await Self.onThread { () -> WebImageError? in
            do throws(WebImageError) { _ = try animation.frame(at: 1) } catch { return error }
            return nil
        }
        #expect(error?.code == .badImageData && error?.reason.contains("frame 1 is 2×2") == true)
    }

    @Test("no frames are refused")
    func none() {
        for count in [0, -1] {
            #expect(throws: WebImageError.self) { try ClosureAnimation(frameCount: count) { _ in try Self.frame(0) } }
        }
    }

    @Test("a function that never returns ends at the longest wait, and its task is cancelled")
    func endless() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let (never, held) = AsyncStream.makeStream(of: Void.self)
        defer { held.finish() }
        let animation = try ClosureAnimation(frameCount: 1, longestWait: .milliseconds(30)) { _ in
            // Ends when its task is cancelled.
            for await _ in never {}
            end.yield(Task.isCancelled)
            return try Self.frame(0)
        }
        let error = await Self.onThread { () -> WebImageError? in
            do throws(WebImageError) { _ = try animation.frame(at: 0) } catch { return error }
            return nil
        }
        #expect(error?.code == .limitExceeded && error?.reason.contains("longestWait") == true)
        for await isCancelled in ends {
            #expect(isCancelled)
            break
        }
    }

    @Test("whoever waits when all is cancelled gets an error at once, and later frames are made")
    func cancellation() async throws {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let isFirst = Mutex(true)
        let animation = try ClosureAnimation(frameCount: 1, longestWait: .seconds(1000)) { index in
            let waits = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            start.yield()
            // Deaf to its cancellation.
            if waits { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
            return try Self.frame(index)
        }
        async let error = Self.onThread { () -> WebImageError? in
            do throws(WebImageError) { _ = try animation.frame(at: 0) } catch { return error }
            return nil
        }
        for await _ in starts { break }
        animation.cancel()
        #expect(await error?.isCancelled == true)
        #expect(await Self.onThread { (try? animation.frame(at: 0)) != nil })
    }
}
