import CGtk4

/// What draws the pixels of a window.
enum WindowRenderer {
    /// GTK's cairo renderer, as where there is no OpenGL.
    case cairo
    /// OpenGL that the processor computes, as in virtual machines and on screens that are not there.
    case softwareOpenGL
    /// A graphics card.
    case hardware
}

extension UnsafeMutablePointer<GtkWidget> {
    /// What draws the widget's window; a graphics card as long as nothing else is known.
    var renderer: WindowRenderer {
        guard let native = gtk_widget_get_native(self), let renderer = gtk_native_get_renderer(native) else {
            return .hardware
        }
        let instance = UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self)
        let name = g_type_name_from_instance(instance).map { String(cString: $0) } ?? ""
        if name == "GskCairoRenderer" { return .cairo }
        return name.contains("GL") && isOpenGLSoftware ? .softwareOpenGL : .hardware
    }

    /// Asks the context that GTK has drawn its last frame with: a context only to ask would take longer than a frame.
    private var isOpenGLSoftware: Bool {
        guard let context = gdk_gl_context_get_current(),
            gdk_gl_context_get_display(context) == gtk_widget_get_display(self)
        else { return false }
        gdk_gl_context_make_current(context)
        guard let name = webimage_gl_renderer().map({ String(cString: $0) }) else { return false }
        // Mesa's three, the last of them gone since 2020.
        return ["llvmpipe", "softpipe", "SWR"].contains { name.hasPrefix($0) }
    }
}
