import CGtk4

/// The renderer of a window.
enum WindowRenderer {
    /// GTK's cairo renderer, used where there is no OpenGL.
    case cairo
    /// OpenGL in software, as in virtual machines and on virtual screens.
    case softwareOpenGL
    /// A graphics card.
    case hardware
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The renderer of the widget's window; hardware while it is unknown.
    var renderer: WindowRenderer {
        guard let native = gtk_widget_get_native(self), let renderer = gtk_native_get_renderer(native) else {
            return .hardware
        }
        let instance = UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self)
        let name = g_type_name_from_instance(instance).map { String(cString: $0) } ?? ""
        if name == "GskCairoRenderer" { return .cairo }
        return name.contains("GL") && isOpenGLSoftware ? .softwareOpenGL : .hardware
    }

    /// Asks the context of GTK's last frame: creating a context for the question takes longer than a frame.
    private var isOpenGLSoftware: Bool {
        guard let context = gdk_gl_context_get_current(),
            gdk_gl_context_get_display(context) == gtk_widget_get_display(self)
        else { return false }
        gdk_gl_context_make_current(context)
        guard let name = webimage_gl_renderer().map({ String(cString: $0) }) else { return false }
        // Mesa's three software renderers; SWR was removed in 2020.
        return ["llvmpipe", "softpipe", "SWR"].contains { name.hasPrefix($0) }
    }
}
