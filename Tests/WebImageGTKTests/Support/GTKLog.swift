import CGtk4
import Synchronization

/// The warnings of GTK and GLib, kept for the test that caused them.
enum GTKLog {
    private static let complaints = Mutex<[String]>([])
    private static let ownMessages = Mutex<[String]>([])

    /// Starts listening; GLib allows that once.
    static let isInstalled: Bool = {
        g_log_set_writer_func(
            { level, fields, count, _ in
                let isComplaint = level.rawValue & (G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue) != 0
                if let fields {
                    let fields = UnsafeBufferPointer(start: fields, count: Int(count))
                    if isComplaint { note(fields, in: complaints) }
                    if text("GLIB_DOMAIN", in: fields) == "WebImage" { note(fields, in: ownMessages) }
                }
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

    /// The messages of the library for developers since the last call.
    static func takeOwnMessages() -> [String] {
        ownMessages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    private static func note(_ fields: UnsafeBufferPointer<GLogField>, in list: borrowing Mutex<[String]>) {
        let message = text("MESSAGE", in: fields) ?? "a complaint without words"
        list.withLock { $0.append(message) }
    }

    private static func text(_ key: String, in fields: UnsafeBufferPointer<GLogField>) -> String? {
        let field = fields.first { String(cString: $0.key) == key }
        return field?.value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }
}
