import Foundation
import Testing
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Loaders from closures", .timeLimit(.minutes(5)))
struct ClosureImageLoaderTests {
    private struct Broken: Error {}

    private let request: ImageLoadRequest

    init() throws { request = ImageLoadRequest(url: try parsed("store://a/ada.jpg")) }

    @Test("LD-2 a closure's bytes are the response")
    func success() async throws {
        let loader = ClosureImageLoader { Data($0.url.lastPathComponent.utf8) }
        let load = RecordedLoad(request, by: loader)
        #expect(try await load.response.data == Data("ada.jpg".utf8))
        #expect(load.hasEndedOnce)
    }

    @Test("a loader takes the URLs of its scheme, in any case, or those that its closure accepts")
    func urls() throws {
        let store = ClosureImageLoader(scheme: "Store") { _ in Data() }
        let places = try ["store:a", "STORE://b/c", "stores:a", "http://store/a"].map { try parsed($0) }
        #expect(places.map { store.canLoad($0) } == [true, true, false, false])
        let choosy = ClosureImageLoader(canLoad: { $0.host() == "store" }, load: { _ in Data() })
        #expect(places.map { choosy.canLoad($0) } == [false, false, false, true])
        #expect(ClosureImageLoader { _ in Data() }.canLoad(places[3]))
    }

    @Test("an error of the closure's ends the load, with the address and what was thrown")
    func failures() async throws {
        let known = WebImageError(.fileNotFound, stage: .load, kind: .permanent, reason: "gone")
        let kept = try #require(await RecordedLoad(request, by: ClosureImageLoader { _ in throw known }).error)
        #expect(kept.code == .fileNotFound && kept.reason == "gone" && kept.url == request.url)

        let other = try #require(await RecordedLoad(request, by: ClosureImageLoader { _ in throw Broken() }).error)
        #expect(other.code == .transferFailed && other.kind == .transient && other.underlying is Broken)
        #expect(other.description == "store://a/ada.jpg: the loader's closure failed: Broken()")

        let cancelled = try #require(
            await RecordedLoad(request, by: ClosureImageLoader { _ in throw CancellationError() }).error)
        #expect(cancelled.isCancelled && cancelled.url == request.url)

        let empty = try #require(await RecordedLoad(request, by: ClosureImageLoader { _ in Data() }).error)
        #expect(empty.code == .badImageData)
    }

    @Test("cancelling the load cancels its task, and ends the load at once", arguments: [false, true])
    func cancellation(ignoresIt: Bool) async throws {
        let (gate, wasCancelled) = (Gate(), Observed(false))
        let loader = ClosureImageLoader { _ in
            try await withTaskCancellationHandler {
                if ignoresIt { await Task { try? await gate.wait() }.value } else { try await gate.wait() }
            } onCancel: {
                wasCancelled.update { $0 = true }
            }
            return Data("late".utf8)
        }
        let load = RecordedLoad(request, by: loader)
        load.cancel()
        #expect(load.endings.count == 1)
        #expect(await load.error?.isCancelled == true)
        _ = try await wasCancelled.wait { $0 }
        gate.open()
        load.cancel()
        #expect(load.hasEndedOnce)
    }

    @Test("the task has the load's priority, and becomes more urgent with it")
    func priority() async throws {
        let (gate, seen) = (Gate(), Observed<[TaskPriority]>([]))
        let loader = ClosureImageLoader { _ in
            seen.update { $0.append(Task.currentPriority) }
            try await gate.wait()
            seen.update { $0.append(Task.currentPriority) }
            return Data("a".utf8)
        }
        var request = request
        request.priority = .low
        let load = RecordedLoad(request, by: loader)
        _ = try await seen.wait { $0.count == 1 }
        load.setPriority(.high)
        gate.open()
        _ = try await load.response
        #expect(seen.value == [.low, .high])
    }

    @Test("identical loads of a manager share one call of the closure")
    func shared() async throws {
        let (gate, calls) = (Gate(), Observed(0))
        let file = try Fixtures.data("translucent.png")
        let loader = ClosureImageLoader { _ in
            calls.update { $0 += 1 }
            try await gate.wait()
            return file
        }
        let manager = WebImageManager(cache: SuspendedCache(), loader: loader)
        let results = Observed(0)
        for _ in 0..<3 {
            manager.load(ImageRequest(request.url, context: WebImageContext { $0.callbackQueue = .global })) { result in
                if case .success = result { results.update { $0 += 1 } }
            }
        }
        _ = try await calls.wait { $0 == 1 }
        gate.open()
        _ = try await results.wait { $0 == 3 }
        #expect(calls.value == 1)
    }
}
