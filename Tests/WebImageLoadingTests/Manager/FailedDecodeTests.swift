import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Decodes that fail after a long time", .timeLimit(.minutes(5)))
struct FailedDecodeTests {
    private let clock = ManualClock()
    private let coder: ScriptedCoder
    private let bench: ManagerBench

    init() { self.init(after: .seconds(30), with: .tookTooLong(ImageLimits())) }

    private init(after duration: Duration, with error: WebImageError) {
        let clock = clock
        coder = ScriptedCoder { _ throws(WebImageError) in
            clock.advance(by: duration)
            throw error
        }
        bench = ManagerBench(coder: coder, clock: clock)
    }

    /// - Returns: Whether it was decoded.
    private func load(
        _ options: WebImageOptions = [], file: Data = ScriptedCoder.file(2, 2),
        configure: (inout WebImageContext) -> Void = { _ in }
    ) async throws -> Bool {
        let before = coder.decodeCount
        let outcome = try await bench.load("a.jpg", options, sending: file, configure: configure)
        #expect(outcome.failure?.url?.lastPathComponent == "a.jpg")
        return coder.decodeCount > before
    }

    @Test("DL-32 a picture that takes too long is decoded once, however often it is loaded, and stored nowhere")
    func once() async throws {
        #expect(try await load())
        for _ in 0..<3 { #expect(try await !load()) }
        #expect(bench.cache.stores.isEmpty && bench.cache.memory.isEmpty)
    }

    @Test("another file, another size and other limits are decoded")
    func others() async throws {
        #expect(try await load())
        #expect(try await load(file: ScriptedCoder.file(3, 3)))
        #expect(try await load { $0.thumbnailPixelSize = PixelSize(width: 1, height: 1) })
        #expect(
            try await load {
                var options = ImageDecodeOptions()
                options.limits.maximumDecodeDuration = .seconds(60)
                $0.decodeOptions = options
            })
    }

    @Test("after ten minutes, when it is asked for again, and where it is forgiven, it is decoded once more")
    func again() async throws {
        #expect(try await load())
        #expect(try await load(.retryFailed))
        bench.manager.removeAllFailedURLs()
        #expect(try await load())
        bench.manager.removeFailedURL(try ManagerBench.url("other.jpg"))
        #expect(try await !load())
        bench.manager.removeFailedURL(try ManagerBench.url("a.jpg"))
        #expect(try await load())
        clock.advance(by: .seconds(599))
        #expect(try await !load())
        clock.advance(by: .seconds(1))
        #expect(try await load())
    }

    @Test("a failure that comes soon, and one that may pass, are not remembered")
    func notRemembered() async throws {
        let soon = FailedDecodeTests(after: .milliseconds(499), with: .tookTooLong(ImageLimits()))
        let transient = WebImageError(.badImageData, stage: .decode, kind: .transient, reason: "try again")
        let passing = FailedDecodeTests(after: .seconds(30), with: transient)
        for tests in [soon, passing] {
            for _ in 0..<2 { #expect(try await tests.load()) }
        }
    }
}
