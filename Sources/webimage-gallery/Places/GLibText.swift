import CGtk4

/// A text that GLib has made for the caller.
nonisolated func taking(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { g_free(text) }
    return String(cString: text)
}
