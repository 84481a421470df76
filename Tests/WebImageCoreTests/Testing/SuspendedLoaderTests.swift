import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@Suite("Suspended loader", .timeLimit(.minutes(5)))
struct SuspendedLoaderTests {
    private let url = URL(filePath: "/a.jpg")

    /// The callbacks of the loader's caller, in order.
    private final class Events: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }

        func add(_ event: ImageLoadEvent) {
            let text =
                switch event {
                case .progress(let progress): "\(progress.receivedByteCount)/\(progress.expectedByteCount ?? -1)"
                case .data(let data): "data \(data.count)"
                case .finished(.success(let response)): "finished \(response.data.count)"
                case .finished(.failure(let error)): "failed \(error.code.rawValue)"
                }
            list.withLock { $0.append(text) }
        }
    }

    @Test("a load does nothing until the test makes it progress and finish, once")
    func finishes() async throws {
        let (loader, events) = (SuspendedLoader(), Events())
        let task = loader.load(ImageLoadRequest(url: url, priority: .high)) { events.add($0) }
        #expect(events.all.isEmpty)
        let load = try await loader.waitForLoad(of: url)
        #expect(load.request.priority == .high)
        load.progress(10, of: 20)
        load.progress(20)
        load.finish(Data(count: 20))
        load.finish(Data(count: 30))
        load.fail(.cancelled())
        load.progress(30)
        task.cancel()
        #expect(events.all == ["10/20", "20/-1", "finished 20"])
        #expect(load.isEnded && load.isCancelled)
    }

    @Test("a cancelled load ends as cancelled, or continues, where the test places that race")
    func cancels() async throws {
        for endsWhenCancelled in [true, false] {
            let (loader, events) = (SuspendedLoader(endsLoadsWhenCancelled: endsWhenCancelled), Events())
            let task = loader.load(ImageLoadRequest(url: url)) { events.add($0) }
            task.setPriority(.low)
            task.cancel()
            let load = try #require(loader.loads.first)
            try await load.waitForCancellation()
            try await load.waitForPriority(.low)
            load.finish(Data(count: 5))
            #expect(events.all == [endsWhenCancelled ? "failed 2002" : "finished 5"])
            #expect(load.priorities == [.low])
        }
    }

    @Test("loads are recorded in the order of their start, and waited for without polling")
    func records() async throws {
        let (loader, other) = (SuspendedLoader(schemes: ["https"]), URL(filePath: "/b.jpg"))
        async let loads = loader.waitForLoads(3)
        for url in [url, other, url] { _ = loader.load(ImageLoadRequest(url: url)) { _ in } }
        #expect(try await loads.map(\.request.url) == [url, other, url])
        #expect(loader.loads(of: url).count == 2)
        #expect(!loader.canLoad(url))
    }
}
