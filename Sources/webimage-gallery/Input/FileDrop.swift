import CGtk4
import WebImageGTK

/// Files and folders that are dropped onto the window.
final class FileDrop {
    private let body: ([PictureSource]) -> Void

    private init(_ body: @escaping ([PictureSource]) -> Void) { self.body = body }

    /// Calls `body` with what is dropped onto `widget`.
    static func accept(on widget: Widget, _ body: @escaping ([PictureSource]) -> Void) {
        let target: OpaquePointer = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY)
        let handler: @convention(c) (gpointer?, gpointer?, Double, Double, gpointer?) -> gboolean = {
            _, value, _, _, data in
            guard let value, let data else { return 0 }
            return Unmanaged<FileDrop>.fromOpaque(data).takeUnretainedValue().take(value) ? 1 : 0
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(target), "drop", unsafeBitCast(handler, to: GCallback.self),
            Unmanaged.passRetained(FileDrop(body)).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<FileDrop>.fromOpaque(data).release()
            }, GConnectFlags(rawValue: 0))
        gtk_widget_add_controller(widget, target)
    }

    private func take(_ value: gpointer) -> Bool {
        let sources = Self.sources(in: value.assumingMemoryBound(to: GValue.self))
        if !sources.isEmpty { body(sources) }
        return !sources.isEmpty
    }

    /// The sources that a `GdkFileList` names.
    static func sources(in value: UnsafePointer<GValue>) -> [PictureSource] {
        guard g_type_check_value_holds(value, gdk_file_list_get_type()) != 0, let list = g_value_get_boxed(value) else {
            return []
        }
        let files = gdk_file_list_get_files(OpaquePointer(list))
        defer { g_slist_free(files) }
        var sources: [PictureSource] = []
        var link = files
        while let current = link {
            if let file = current.pointee.data, let uri = g_file_get_uri(OpaquePointer(file)) {
                if let source = PictureSource(String(cString: uri)) { sources.append(source) }
                g_free(uri)
            }
            link = current.pointee.next
        }
        return sources
    }
}
