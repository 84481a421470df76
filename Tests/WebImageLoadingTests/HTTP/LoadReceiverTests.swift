import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Receiver of a load", .timeLimit(.minutes(5)))
struct LoadReceiverTests {
    @Test("the thousandth report takes no more stack than the first")
    func stackOfReports() {
        let lowest = Mutex<[UInt]>([])
        let receiver = LoadReceiver { _ in
            var marker = 0
            withUnsafePointer(to: &marker) { place in lowest.withLock { $0.append(UInt(bitPattern: place)) } }
        }
        for count in 0..<1000 { receiver.report(LoadProgress(receivedByteCount: count)) }
        let places = lowest.withLock { $0 }
        #expect(places.count == 1000)
        #expect(Set(places).count == 1)
    }

    /// Tells of its end.
    private final class Held: Sendable {
        private let end: Gate

        init(_ end: Gate) { self.end = end }

        deinit { end.open() }
    }

    @Test("A97 the closures of a load are released at its ending, also while its handle is kept")
    func lettingGo() async throws {
        let (bench, origin) = (ManagerBench(), try LoopbackOrigin())
        origin.serve("/a", .text("x"))
        let (managers, downloaders) = (Gate(), Gate())
        let operation: LoadOperation
        do {
            let held = Held(managers)
            operation = bench.manager.load(
                try ManagerBench.url(), progress: { _ in withExtendedLifetime(held) {} },
                received: { _ in withExtendedLifetime(held) {} }, completed: { _ in withExtendedLifetime(held) {} })
        }
        let downloader = WebImageDownloader.direct()
        let task: any CancellableTask
        do {
            let held = Held(downloaders)
            task = downloader.load(ImageLoadRequest(url: origin.url("/a"))) { _ in
                withExtendedLifetime(held) {}
            }
        }
        try await bench.transfer().finish(ScriptedCoder.file(1, 1))
        try await managers.wait()
        try await downloaders.wait()
        withExtendedLifetime((operation, downloader, task)) {}
    }

    @Test("A97 the closure is handed out for one ending, and gets nothing after it")
    func oneEnding() {
        let count = Atomic<Int>(0)
        let receiver = LoadReceiver { _ in count.add(1, ordering: .relaxed) }
        receiver.report(LoadProgress(receivedByteCount: 1))
        #expect(receiver.take() != nil)
        #expect(receiver.take() == nil)
        receiver.report(LoadProgress(receivedByteCount: 2))
        #expect(count.load(ordering: .relaxed) == 1)
    }
}
