import CGtk4
import Synchronization

/// The warnings of GTK and GLib, kept for the test that caused them.
enum GTKLog {
    private static let complaints = Mutex<[String]>([])

    /// Starts listening; GLib allows that once.
    static let isInstalled: Bool = {
        g_log_set_writer_func(
            { level, fields, count, _ in
                let isComplaint = level.rawValue & (G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue) != 0
                if isComplaint, let fields { GTKLog.note(UnsafeBufferPointer(start: fields, count: Int(count))) }
                return g_log_writer_default(level, fields, count, nil)
            }, nil, nil)
        return true
    }()

    /// The warnings since the last call.
    static func takeComplaints() -> [String] {
        complaints.withLock { complaints in
            defer { complaints = [] }
            return complaints
        }
    }

    private static func note(_ fields: UnsafeBufferPointer<GLogField>) {
        let message = fields.first { String(cString: $0.key) == "MESSAGE" }?.value
        let text = message.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
        complaints.withLock { $0.append(text ?? "a complaint without words") }
    }
}
