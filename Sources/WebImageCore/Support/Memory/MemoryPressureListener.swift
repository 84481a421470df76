/// Receives reports of memory pressure for as long as it lives: for code outside this module that holds pictures.
package final class MemoryPressureListener: MemoryPressureReceiver {
    private let pressure: MemoryPressure
    private let body: @Sendable (MemoryPressure.Level) -> Void

    /// - Parameter relieve: Called on any thread.
    package init(_ pressure: MemoryPressure = .shared, relieve: @escaping @Sendable (MemoryPressure.Level) -> Void) {
        self.pressure = pressure
        body = relieve
        pressure.add(self)
    }

    deinit { pressure.remove(ObjectIdentifier(self)) }

    package func relieve(_ level: MemoryPressure.Level) { body(level) }
}
