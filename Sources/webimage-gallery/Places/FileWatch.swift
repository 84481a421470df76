import CGtk4
import WebImageGTK

/// Watches files and folders of this machine, and says when something in them has changed.
final class FileWatch {
    private var monitors: [String: UnsafeMutablePointer<GFileMonitor>] = [:]
    private let call: DelayedCall

    /// A system has a limit of its own for all programs together, and that is higher.
    static let limit = 1000
    /// Changes that follow one another, as those of a copy, are noticed once in this time.
    private static let delay = Duration.milliseconds(200)

    init(changed: @escaping () -> Void) { call = DelayedCall(after: Self.delay, changed) }

    isolated deinit { stop() }

    /// Watches these as well. The rest of a number above the limit is not watched.
    ///
    /// - Returns: Whether one of them was not watched before.
    @discardableResult
    func add(_ uris: some Sequence<String>) -> Bool {
        let count = monitors.count
        for uri in uris where monitors.count < Self.limit { add(uri) }
        return monitors.count > count
    }

    /// Watches nothing any more.
    func stop() {
        for monitor in monitors.values {
            g_file_monitor_cancel(monitor)
            g_object_unref(monitor)
        }
        monitors = [:]
    }

    private func add(_ uri: String) {
        let file: OpaquePointer = g_file_new_for_uri(uri)
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        // Phones and servers would have to be asked again and again.
        guard g_file_is_native(file) != 0, let name = String(taking: g_file_get_uri(file)), monitors[name] == nil,
            let monitor = g_file_monitor(file, G_FILE_MONITOR_WATCH_MOVES, nil, nil)
        else { return }
        monitors[name] = monitor
        connect(monitor, "changed") { [weak call] in call?.startUnlessRunning() }
    }
}
