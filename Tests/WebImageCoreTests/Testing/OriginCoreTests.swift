import Foundation
import Synchronization
import Testing

@testable import WebImageTesting

@Suite("The shared state of the loopback origin's threads")
struct OriginCoreTests {
    @Test("the first request seen gets the first answer, however late its thread continues")
    func turns() {
        let core = OriginCore()
        core.routes.withLock { $0.set("/a", responses: [.text("first"), .text("second")]) }
        let exchanges = (1...2).map { OriginExchange(target: "/a", connectionNumber: $0) }
        let recorded = exchanges.map { core.record($0, method: "GET", headers: [:]) }
        let bodies = recorded.reversed().map { core.response(to: $0.request, by: $0.answer).body }
        #expect(bodies == [Data("second".utf8), Data("first".utf8)])
    }
}
