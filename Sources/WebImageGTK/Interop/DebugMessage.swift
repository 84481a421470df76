import CGtk4

/// Writes a message for developers to GLib's log, which shows it where the environment variable `G_MESSAGES_DEBUG` contains
/// `WebImage`, or is `all`.
func writeDebugMessage(_ message: String) {
    let texts: KeyValuePairs<String, String> = ["MESSAGE": message, "GLIB_DOMAIN": "WebImage"]
    let fields = texts.map { name, text in
        GLogField(key: g_intern_string(name), value: g_intern_string(text), length: -1)
    }
    g_log_structured_array(G_LOG_LEVEL_DEBUG, fields, gsize(fields.count))
}
