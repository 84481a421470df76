import Dispatch
import Synchronization
import XCTest

@testable import WebImage

/// By XCTest, which runs tests on the main thread: Swift Testing's main queue is served by another one.
final class MainThreadCallbackTests: XCTestCase {
    /// A16: "main" means the main thread, whichever queue lends it its work.
    func testA16MainIsInlineOnTheMainThreadOnAnyQueue() throws {
        let ran = Atomic(false)
        // Dispatch runs synchronous work where the caller is, on the main thread here.
        DispatchQueue(label: "test").sync {
            CallbackQueue.main.run { ran.store(true, ordering: .relaxed) }
            XCTAssertTrue(ran.load(ordering: .relaxed))
        }
    }
}
