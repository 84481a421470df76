import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageIsolation
import WebImageLoading
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestLoads

/// A picture that harms its decoder is not given to one decoder after the other.
@Suite("Pictures whose decoders fail again and again", .needsDecoderProcesses, .timeLimit(.minutes(5)))
struct RepeatedFailureTests {
    private static let file = Data([0x89] + Array("PNG\r\n\u{1A}\nharm".utf8))
    private let loader = SuspendedLoader()
    private let cache = SuspendedCache(answersAtOnce: true)

    private func manager(_ source: any WorkerSource) -> WebImageManager {
        let manager = WebImageManager(cache: cache, loader: loader, coder: IsolatedCoder(kind: .png, source: source))
        manager.interceptorTimeout = .seconds(600)
        return manager
    }

    private func request(_ options: WebImageOptions = []) throws -> ImageRequest {
        ImageRequest(try ManagerBench.url(), options: options)
    }

    @Test("a decoder that fails is started once, for loads, retries, prefetches and views that load again")
    func crash() async throws {
        let workers = CountedWorkers(FaultyHelper.make())
        let manager = manager(workers)
        manager.interceptors = [RetryInterceptor(attempts: 3, network: nil, delay: { _ in .zero })]
        let first = manager.observed(try request())
        try await loader.waitForLoads(1)[0].finish(Self.file)
        let error = try await first.failure()
        #expect(error.code == .badImageData && error.kind == .permanent, "\(error)")
        for _ in 0..<3 { #expect(try await manager.observed(request()).failure().code == .blockedURL) }
        let prefetcher = WebImagePrefetcher(manager: manager)
        for _ in 0..<2 {
            let progress = await prefetcher.prefetch([try ManagerBench.url()])
            #expect(progress.skippedCount == 1)
        }
        #expect(workers.count == 1 && loader.loads.count == 1)
        #expect(cache.stores.isEmpty && cache.memory.isEmpty)
    }

    @Test("a cached file whose decoder fails is given to a decoder once more, when it has been loaded anew")
    func cached() async throws {
        let workers = CountedWorkers(FaultyHelper.make())
        let manager = manager(workers)
        cache.put(Self.file, for: ManagerBench.key())
        let first = manager.observed(try request())
        try await loader.waitForLoads(1)[0].finish(Self.file)
        #expect(try await first.failure().code == .badImageData)
        #expect(try await manager.observed(request()).failure().code == .blockedURL)
        #expect(workers.count == 2 && cache.disk.isEmpty)
    }

    @Test("where the program that decodes ends each time, each attempt of a retry is a load with two decoders")
    func lostHelper() async throws {
        let workers = CountedWorkers(ScriptedWorkers(losing: .max) { _ -> [WorkerReply] in [] })
        let manager = manager(workers)
        manager.interceptors = [RetryInterceptor(attempts: 3, network: nil, delay: { _ in .zero })]
        let load = manager.observed(try request())
        for number in 1...3 { try await loader.waitForLoads(number)[number - 1].finish(Self.file) }
        let error = try await load.failure()
        #expect(error.kind == .transient, "\(error)")
        #expect(workers.count == 6)
    }
}

/// Counts the workers of a source.
private final class CountedWorkers: WorkerSource {
    private let source: any WorkerSource
    private let started = Atomic(0)

    init(_ source: any WorkerSource) { self.source = source }

    var count: Int { started.load(ordering: .relaxed) }

    func makeWorker(for kind: DecoderKind, limits: ImageLimits) throws(WebImageError) -> any WorkerConnection {
        started.add(1, ordering: .relaxed)
        return try source.makeWorker(for: kind, limits: limits)
    }

    func makeBuffer(byteCount: Int) throws(WebImageError) -> SharedBuffer {
        try source.makeBuffer(byteCount: byteCount)
    }
}
