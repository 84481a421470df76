import CGtk4

extension String {
    /// A text that GLib has made for the caller.
    nonisolated init?(taking text: UnsafeMutablePointer<CChar>?) {
        guard let text else { return nil }
        defer { g_free(text) }
        self.init(cString: text)
    }
}
