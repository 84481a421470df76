import CGtk4
import Dispatch
import Testing
import WebImage

@testable import WebImageGTK

/// Swift Testing runs the main actor on a thread that is not the main one, like a program with an async main: only here
/// can the bridge's refusal be tested. In processes of their own, because the log's handler is global.
@Suite(.timeLimit(.minutes(5))) struct MainLoopBridgeRefusalTests {
    @Test("off the main thread the bridge refuses, and warns of nothing as long as the main actor is served")
    func refuses() async {
        await #expect(processExitsWith: .success) { await Self.refuseWhereTheMainActorIsServed() }
    }

    @Test("a main loop of GTK's that keeps the main actor from running is warned of, once")
    func warns() async {
        await #expect(processExitsWith: .success) { await Self.warnOfALoopThatKeepsTheMainActor() }
    }

    @MainActor
    private static func refuseWhereTheMainActorIsServed() async {
        let messages = Recorder<String>()
        WebImageLog.setHandler { messages.append($0) }
        StuckMainActor.patience = 1
        #expect(!MainLoopBridge.install())
        #expect(!MainLoopBridge.install())
        // Jobs that wait on the main queue run here, as they do wherever a test awaits.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        var hasPassed = false
        runGTKsLoop(until: { hasPassed }) { hasPassed = true }
        #expect(messages.values == [])
    }

    @MainActor
    private static func warnOfALoopThatKeepsTheMainActor() async {
        let messages = Recorder<String>()
        WebImageLog.setHandler { messages.append($0) }
        StuckMainActor.patience = 1
        #expect(!MainLoopBridge.install())
        #expect(!MainLoopBridge.install())
        #expect(messages.values == [], "the loop may never run")
        runGTKsLoop(until: { !messages.values.isEmpty })
        #expect(messages.values.count == 1)
        #expect(messages.values.first?.contains("must not be async") == true)
    }

    /// Calls `passed` after a time that is longer than the patience. Gives up after a minute.
    @MainActor
    private static func runGTKsLoop(until condition: () -> Bool, passed: @escaping () -> Void = {}) {
        let timer = Timer(passed)
        let source = g_timeout_add_full(
            G_PRIORITY_LOW, 50,
            { data in
                guard let data else { return 0 }
                Unmanaged<Timer>.fromOpaque(data).takeUnretainedValue().passed()
                return 1
            }, Unmanaged.passUnretained(timer).toOpaque(), nil)
        defer { g_source_remove(source) }
        let deadline = DispatchTime.now() + .seconds(60)
        withExtendedLifetime(timer) {
            while !condition(), DispatchTime.now() < deadline { g_main_context_iteration(nil, 1) }
        }
    }

    private final class Timer {
        let passed: () -> Void
        init(_ passed: @escaping () -> Void) { self.passed = passed }
    }
}
