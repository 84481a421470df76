import Dispatch
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@Suite("Ordered callbacks", .timeLimit(.minutes(5)))
struct OrderedCallbacksTests {
    @Test("a callback that may run at once does not overtake one that waits")
    func order() {
        let pending = Mutex<[@Sendable () -> Void]>([])
        let isInline = Atomic(false)
        let callbacks = OrderedCallbacks(
            CallbackQueue { callback in
                if isInline.load(ordering: .relaxed) { callback() } else { pending.withLock { $0.append(callback) } }
            })
        let order = Mutex<[Int]>([])
        callbacks.add { order.withLock { $0.append(1) } }
        callbacks.flush()
        isInline.store(true, ordering: .relaxed)
        callbacks.add { order.withLock { $0.append(2) } }
        callbacks.flush()
        #expect(order.withLock { $0 } == [1, 2])
        for callback in pending.withLock({ $0 }) { callback() }
        #expect(order.withLock { $0 } == [1, 2])
    }

    @Test("a callback that adds another one is not interrupted by it")
    func reentrant() {
        let callbacks = OrderedCallbacks(.current)
        let order = Mutex<[String]>([])
        callbacks.add {
            callbacks.add { order.withLock { $0.append("second") } }
            callbacks.flush()
            order.withLock { $0.append("first") }
        }
        callbacks.flush()
        #expect(order.withLock { $0 } == ["first", "second"])
    }

    @Test("on a concurrent queue too, they run one at a time and in order")
    func concurrent() async throws {
        let callbacks = OrderedCallbacks(.global)
        let log = Observed<[Int]>([])
        for number in 0..<500 {
            callbacks.add { log.update { $0.append(number) } }
            callbacks.flush()
        }
        let order = try await log.wait { $0.count == 500 }
        #expect(order == Array(0..<500))
    }

    @Test("callbacks of a released queue run on the main queue, in order")
    func gone() async throws {
        let callbacks = OrderedCallbacks(CallbackQueue { _ in })
        let log = Observed<[Int]>([])
        for number in 0..<3 {
            callbacks.add { log.update { $0.append(CallbackQueue.main.isCurrent ? number : -1) } }
            callbacks.flush()
        }
        let order = try await log.wait { $0.count == 3 }
        #expect(order == [0, 1, 2])
    }
}
