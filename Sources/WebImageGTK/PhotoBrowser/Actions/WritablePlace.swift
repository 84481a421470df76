import CGtk4
import FoundationEssentials
import WebImage

/// A file, also of a phone or a server, which has no path.
final class WritablePlace {
    private typealias EndBody = (_ result: OpaquePointer?) -> Void

    private let file: OpaquePointer

    /// Retains a `GFile`.
    init(_ file: OpaquePointer) { self.file = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(file))) }

    convenience init(_ url: URL) {
        let file: OpaquePointer = g_file_new_for_uri(url.absoluteString)
        self.init(file)
        g_object_unref(UnsafeMutableRawPointer(file))
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(file)) }

    /// Writes the file anew, on another thread.
    ///
    /// - Parameter ended: Gets the reason why it is not written; nil where it is.
    func write(_ data: Data, ended: @escaping (String?) -> Void) {
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        let body: EndBody = { [self] result in
            var error: UnsafeMutablePointer<GError>?
            let isWritten = g_file_replace_contents_finish(file, result, nil, &error) != 0
            ended(isWritten ? nil : error.map { String(cString: $0.pointee.message) } ?? "no reason given")
            g_clear_error(&error)
        }
        g_file_replace_contents_bytes_async(
            file, bytes, nil, 0, G_FILE_CREATE_NONE, nil,
            { _, result, data in
                guard let data else { return }
                MainActor.assumeIsolated {
                    Unmanaged<WriteEnd>.fromOpaque(data).takeRetainedValue().body(result)
                }
            }, Unmanaged.passRetained(WriteEnd(body: body)).toOpaque())
    }

    private final class WriteEnd {
        let body: EndBody

        init(body: @escaping EndBody) { self.body = body }
    }
}
