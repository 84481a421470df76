import CGtk4

// The signals of event controllers with their arguments.

typealias PointBody = (_ x: Double, _ y: Double) -> Void
typealias ScaleBody = (_ factor: Double) -> Void
package typealias KeyBody = (_ key: guint, _ code: guint, _ state: GdkModifierType) -> Bool

/// `released` of a `GtkGestureClick`, or `pressed`.
func onClick(_ controller: OpaquePointer, _ signal: String = "released", _ body: @escaping PointBody) {
    let callback: @convention(c) (gpointer?, gint, Double, Double, gpointer?) -> Void = { _, _, x, y, data in
        SignalHandler<PointBody>.body(data)?(x, y)
    }
    SignalHandler<PointBody>.connect(
        UnsafeMutableRawPointer(controller), signal, unsafeBitCast(callback, to: GCallback.self), body)
}

/// A signal with a point, such as those of a drag.
func onPoint(_ controller: OpaquePointer, _ signal: String, _ body: @escaping PointBody) {
    let callback: @convention(c) (gpointer?, Double, Double, gpointer?) -> Void = { _, x, y, data in
        SignalHandler<PointBody>.body(data)?(x, y)
    }
    SignalHandler<PointBody>.connect(
        UnsafeMutableRawPointer(controller), signal, unsafeBitCast(callback, to: GCallback.self), body)
}

/// `scale-changed` of a `GtkGestureZoom`.
func onZoom(_ controller: OpaquePointer, _ body: @escaping ScaleBody) {
    let callback: @convention(c) (gpointer?, Double, gpointer?) -> Void = { _, factor, data in
        SignalHandler<ScaleBody>.body(data)?(factor)
    }
    SignalHandler<ScaleBody>.connect(
        UnsafeMutableRawPointer(controller), "scale-changed", unsafeBitCast(callback, to: GCallback.self), body)
}

/// `scroll` of a `GtkEventControllerScroll`, which nothing else gets then.
func onScroll(_ controller: OpaquePointer, _ body: @escaping PointBody) {
    let callback: @convention(c) (gpointer?, Double, Double, gpointer?) -> gboolean = { _, x, y, data in
        SignalHandler<PointBody>.body(data)?(x, y)
        return 1
    }
    SignalHandler<PointBody>.connect(
        UnsafeMutableRawPointer(controller), "scroll", unsafeBitCast(callback, to: GCallback.self), body)
}

/// `key-pressed` of a `GtkEventControllerKey`; `body` says whether the key is done with.
package func onKey(_ controller: OpaquePointer, _ body: @escaping KeyBody) {
    let callback: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> gboolean = {
        _, key, code, state, data in
        SignalHandler<KeyBody>.body(data)?(key, code, state) == true ? 1 : 0
    }
    SignalHandler<KeyBody>.connect(
        UnsafeMutableRawPointer(controller), "key-pressed", unsafeBitCast(callback, to: GCallback.self), body)
}
