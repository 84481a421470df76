import CGtk4
import Synchronization

/// What GLib and GTK have complained about: criticals and warnings, which mean that somebody has used them wrongly.
enum ComplaintLog {
    private static let complaints = Mutex<[String]>([])

    /// Listens from now on; GLib allows it once.
    static let install: Void = g_log_set_writer_func(
        { level, fields, count, _ in
            let wanted = G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue
            if level.rawValue & wanted != 0 { ComplaintLog.note(UnsafeBufferPointer(start: fields, count: Int(count))) }
            return g_log_writer_default(level, fields, count, nil)
        }, nil, nil)

    /// All complaints since this was last asked.
    static func take() -> [String] {
        complaints.withLock { complaints in
            defer { complaints = [] }
            return complaints
        }
    }

    private static func note(_ fields: UnsafeBufferPointer<GLogField>) {
        let domain = text("GLIB_DOMAIN", in: fields)
        let message = text("MESSAGE", in: fields)
        complaints.withLock { $0.append("\(domain): \(message)") }
    }

    private static func text(_ key: String, in fields: UnsafeBufferPointer<GLogField>) -> String {
        guard let field = fields.first(where: { String(cString: $0.key) == key }), let value = field.value else {
            return ""
        }
        // The length is -1 for text that ends with a zero.
        if field.length < 0 { return String(cString: value.assumingMemoryBound(to: CChar.self)) }
        return String(decoding: UnsafeRawBufferPointer(start: value, count: Int(field.length)), as: UTF8.self)
    }
}
