import Synchronization

/// The differences of a process that only decodes, for another one: it has no threads, no timers, and its pixels are in
/// memory of the other process. Set once, before the first decode.
package enum IsolatedProcess {
    private struct Settings {
        var pixelMemory: (@Sendable (_ byteCount: Int) -> SharedBuffer?)?
    }

    private static let isSet = Atomic(false)
    private static let settings = Mutex(Settings())

    /// Whether this process is one.
    package static var isCurrent: Bool { isSet.load(ordering: .relaxed) }

    /// Makes this process one.
    package static func begin() { isSet.store(true, ordering: .relaxed) }

    /// Takes the pixels of large bitmaps from now on from `memory`, which gives at least so many bytes, or nil for those of
    /// this process.
    package static func takePixelMemory(from memory: (@Sendable (_ byteCount: Int) -> SharedBuffer?)?) {
        settings.withLock { $0.pixelMemory = memory }
    }

    static func pixelMemory(byteCount: Int) -> SharedBuffer? {
        settings.withLock { $0.pixelMemory }?(byteCount)
    }
}
