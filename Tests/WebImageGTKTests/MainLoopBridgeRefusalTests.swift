import Testing
import WebImage
import WebImageGTK

/// Swift Testing serves the main actor from a thread that is not the main one, just as a program with an async main
/// does: the one place where the bridge's refusal can be tested.
@Suite struct MainLoopBridgeRefusalTests {
    @Test("off the main thread the bridge says so, once, and does not end the process")
    @MainActor func refuses() {
        let messages = Recorder<String>()
        WebImageLog.setHandler { messages.append($0) }
        defer { WebImageLog.setHandler(nil) }
        #expect(!MainLoopBridge.install())
        #expect(!MainLoopBridge.install())
        #expect(messages.values.count == 1)
        #expect(messages.values.first?.contains("must not be async") == true)
    }
}
