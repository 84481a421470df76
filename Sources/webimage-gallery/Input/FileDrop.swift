import CGtk4
import WebImageGTK

/// Files and folders that are dropped onto the window.
enum FileDrop {
    /// Calls `body` with what is dropped onto `widget`, and `hovers` with whether files are above it.
    static func accept(
        on widget: Widget, hovers: @escaping (Bool) -> Void, _ body: @escaping ([PictureSource]) -> Void
    ) {
        let target: OpaquePointer = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY)
        connect(target, "enter") {
            hovers(true)
            return Int(GDK_ACTION_COPY.rawValue)
        }
        connect(target, "leave") { hovers(false) }
        connect(target, "drop") { (value: UnsafeMutablePointer<GValue>) in
            let sources = sources(in: value)
            hovers(false)
            if !sources.isEmpty { body(sources) }
            return !sources.isEmpty
        }
        gtk_widget_add_controller(widget, target)
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
