import CGtk4
import WebImageGTK

/// Files that the desktop asks an application to open.
enum FileOpening {
    static func accept(
        on application: UnsafeMutablePointer<GtkApplication>, _ body: @escaping ([PictureSource]) -> Void
    ) {
        connect(application, "open") { (files: UnsafeMutablePointer<OpaquePointer?>?, count: Int) in
            let uris = (0..<count).compactMap { index in String(taking: g_file_get_uri(files?[index])) }
            body(uris.compactMap { PictureSource($0) })
        }
    }
}
