import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

final class MemoryMonitorTests: GTKTestCase, @unchecked Sendable {
    /// MEM-4
    func testCachesGiveWayWhenGLibSaysThatMemoryIsShort() throws {
        try onMainThread {
            guard let monitor = MemoryMonitor.start() else { throw XCTSkip("GLib has no memory monitor here") }
            let cache = MemoryCache()
            for number in 0..<10 {
                cache.store(try Colour.green.image(), for: CacheKey("\(number)"), cost: 10)
            }
            emit(G_MEMORY_MONITOR_WARNING_LEVEL_LOW, from: monitor)
            iterate(until: { cache.statistics.byteCount == 50 }, "half of it to go")
            emit(G_MEMORY_MONITOR_WARNING_LEVEL_CRITICAL, from: monitor)
            iterate(until: { cache.statistics.count == 0 }, "all of it to go")
        }
    }

    /// MEM-4
    func testOnlyTheHighestLevelEmptiesCaches() {
        XCTAssertEqual(MemoryMonitor.level(of: 50), .warning)
        XCTAssertEqual(MemoryMonitor.level(of: 100), .warning)
        XCTAssertEqual(MemoryMonitor.level(of: 255), .critical)
    }

    @MainActor
    private func emit(_ level: GMemoryMonitorWarningLevel, from monitor: OpaquePointer) {
        let object = UnsafeMutableRawPointer(monitor)
        var values = [GValue(), GValue()]
        g_value_init(&values[0], g_memory_monitor_get_type())
        g_value_set_object(&values[0], object)
        g_value_init(&values[1], g_memory_monitor_warning_level_get_type())
        g_value_set_enum(&values[1], gint(level.rawValue))
        g_signal_emitv(values, g_signal_lookup("low-memory-warning", g_memory_monitor_get_type()), 0, nil)
        for index in values.indices { g_value_unset(&values[index]) }
    }
}
