import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("The monitor of the system's network", .timeLimit(.minutes(5)))
struct SystemNetworkMonitorTests {
    @Test("it asks the monitor that it is told to")
    func monitor() async throws {
        let (first, second) = (ScriptedNetwork(), ScriptedNetwork())
        let system = SystemNetworkMonitor()
        system.use(first)
        second.goAway()
        #expect(system.isAvailable)
        system.use(second)
        #expect(!system.isAvailable)
        let task = Task { await system.waitForReturn() }
        try await second.waitForWaiters(1)
        second.comeBack()
        await task.value
        #expect(first.waiterCount == 0)
    }

    @Test("without a monitor the network counts as available, and a task waits for its cancellation")
    func noMonitor() async {
        let system = SystemNetworkMonitor()
        #expect(system.isAvailable)
        let task = Task { await system.waitForReturn() }
        task.cancel()
        await task.value
    }

    @Test("tasks that wait go on when the network is back, and the next one waits for news of its own")
    func arrival() async {
        let networkReturn = NetworkReturn()
        let ended = Observed(0)
        let tasks = (0..<3).map { _ in
            Task {
                await networkReturn.wait()
                ended.update { $0 += 1 }
            }
        }
        // A task that begins late waits for the next news.
        while ended.value < 3 {
            networkReturn.announce()
            await Task.yield()
        }
        for task in tasks { await task.value }
        let later = Task { await networkReturn.wait() }
        later.cancel()
        await later.value
    }
}
