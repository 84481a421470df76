import Dispatch
import Synchronization
import WebImageCore
import XCTest

/// By XCTest, which runs tests on the main thread: Swift Testing drains the main queue on another one.
final class MainThreadCallbackTests: XCTestCase {
    /// A16: "main" means the main thread, whatever the current queue.
    func testA16MainIsInlineOnTheMainThreadOnAnyQueue() throws {
        let ran = Atomic(false)
        // Dispatch runs synchronous work on the caller's thread, the main thread here.
        DispatchQueue(label: "test").sync {
            CallbackQueue.main.run { ran.store(true, ordering: .relaxed) }
            XCTAssertTrue(ran.load(ordering: .relaxed))
        }
    }
}
