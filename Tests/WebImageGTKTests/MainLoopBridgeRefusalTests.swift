import Testing
import WebImage
import WebImageGTK

/// Swift Testing runs the main actor on a thread that is not the main one, like a program with an async main: only here
/// can the bridge's refusal be tested.
@Suite struct MainLoopBridgeRefusalTests {
    @Test("off the main thread the bridge warns once, and does not end the process")
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
