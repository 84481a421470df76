import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

final class GLibNetworkMonitorTests: GTKTestCase, @unchecked Sendable {
    func testRetriesHearFromGLibThatTheNetworkIsBack() throws {
        try onMainThread {
            let system = SystemNetworkMonitor()
            guard let source = g_network_monitor_get_default(), let monitor = GLibNetworkMonitor.start(system) else {
                throw XCTSkip("GLib has no network monitor here")
            }
            emit(false, from: source)
            XCTAssertFalse(monitor.isAvailable)
            XCTAssertFalse(system.isAvailable)
            let (hasBegun, hasEnded) = (Observed(false), Observed(false))
            let task = Task.detached {
                hasBegun.update { $0 = true }
                await system.waitForReturn()
                hasEnded.update { $0 = true }
            }
            iterate(until: { hasBegun.value }, "the task to begin")
            emit(false, from: source)
            // The task may begin to wait a moment later than it says.
            iterate(
                until: {
                    emit(true, from: source)
                    return hasEnded.value
                }, "the task to go on")
            XCTAssertTrue(system.isAvailable)
            task.cancel()
        }
    }

    func testATaskThatIsCancelledGoesOnWithoutANetwork() throws {
        try onMainThread {
            let system = SystemNetworkMonitor()
            guard let source = g_network_monitor_get_default(), GLibNetworkMonitor.start(system) != nil else {
                throw XCTSkip("GLib has no network monitor here")
            }
            emit(false, from: source)
            let hasEnded = Observed(false)
            let task = Task.detached {
                await system.waitForReturn()
                hasEnded.update { $0 = true }
            }
            task.cancel()
            iterate(until: { hasEnded.value }, "the task to go on")
            XCTAssertFalse(system.isAvailable)
            emit(true, from: source)
        }
    }

    @MainActor
    private func emit(_ isAvailable: Bool, from monitor: OpaquePointer) {
        var values = [GValue(), GValue()]
        g_value_init(&values[0], g_network_monitor_get_type())
        g_value_set_object(&values[0], UnsafeMutableRawPointer(monitor))
        g_value_init(&values[1], GType(5 << 2))
        g_value_set_boolean(&values[1], isAvailable ? 1 : 0)
        g_signal_emitv(values, g_signal_lookup("network-changed", g_network_monitor_get_type()), 0, nil)
        for index in values.indices { g_value_unset(&values[index]) }
    }
}
