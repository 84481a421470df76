import CGtk4
import WebImageGTK

/// Files and folders that are dropped onto the window.
enum FileDrop {
    private typealias Body = (UnsafePointer<GValue>) -> Bool

    /// Calls `body` with what is dropped onto `widget`, and `hovers` with whether files are above it.
    static func accept(
        on widget: Widget, hovers: @escaping (Bool) -> Void, _ body: @escaping ([PictureSource]) -> Void
    ) {
        let target: OpaquePointer = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY)
        onHover(target, hovers)
        let handler: @convention(c) (gpointer?, UnsafePointer<GValue>?, Double, Double, gpointer?) -> gboolean = {
            _, value, _, _, data in
            guard let value else { return 0 }
            return SignalHandler<Body>.body(data)?(value) == true ? 1 : 0
        }
        SignalHandler<Body>.connect(
            UnsafeMutableRawPointer(target), "drop", unsafeBitCast(handler, to: GCallback.self)
        ) { value in
            let sources = sources(in: value)
            hovers(false)
            if !sources.isEmpty { body(sources) }
            return !sources.isEmpty
        }
        gtk_widget_add_controller(widget, target)
    }

    private static func onHover(_ target: OpaquePointer, _ body: @escaping (Bool) -> Void) {
        let object = UnsafeMutableRawPointer(target)
        let handler: @convention(c) (gpointer?, Double, Double, gpointer?) -> guint = { _, _, _, data in
            SignalHandler<(Bool) -> Void>.body(data)?(true)
            return GDK_ACTION_COPY.rawValue
        }
        SignalHandler<(Bool) -> Void>.connect(object, "enter", unsafeBitCast(handler, to: GCallback.self), body)
        connect(object, "leave") { body(false) }
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
