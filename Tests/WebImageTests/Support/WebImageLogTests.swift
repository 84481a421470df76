import Testing
import WebImage

@Suite("Log", .timeLimit(.minutes(5)))
struct WebImageLogTests {
    /// In a child process, because the handler is global.
    @Test("a handler may hold an object that sets another one at its release")
    func letGo() async {
        await #expect(processExitsWith: .success) {
            final class Owner: Sendable {
                deinit { WebImageLog.setHandler(nil) }
            }
            WebImageLog.setHandler { [owner = Owner()] _ in withExtendedLifetime(owner) {} }
            WebImageLog.setHandler { _ in }
        }
    }
}
