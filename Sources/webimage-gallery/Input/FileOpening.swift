import CGtk4
import WebImageGTK

/// Files that the desktop asks an application to open.
enum FileOpening {
    private typealias Body = (UnsafeMutablePointer<OpaquePointer?>?, gint) -> Void

    static func accept(
        on application: UnsafeMutablePointer<GtkApplication>, _ body: @escaping ([PictureSource]) -> Void
    ) {
        let handler:
            @convention(c) (
                gpointer?, UnsafeMutablePointer<OpaquePointer?>?, gint, UnsafePointer<CChar>?, gpointer?
            ) -> Void = { _, files, count, _, data in SignalHandler<Body>.body(data)?(files, count) }
        SignalHandler<Body>.connect(
            UnsafeMutableRawPointer(application), "open", unsafeBitCast(handler, to: GCallback.self)
        ) { files, count in
            let uris = (0..<Int(count)).compactMap { index in String(taking: g_file_get_uri(files?[index])) }
            body(uris.compactMap { PictureSource($0) })
        }
    }
}
