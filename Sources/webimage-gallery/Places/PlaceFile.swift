import CGtk4
import FoundationEssentials
import WebImage

/// A file or a folder that GIO opens, also one on a phone or on a server. All methods block; not on the main thread.
nonisolated final class PlaceFile {
    private let file: OpaquePointer

    init(uri: String) { file = g_file_new_for_uri(uri) }

    deinit { g_object_unref(UnsafeMutableRawPointer(file)) }

    /// What a file or a folder says about itself.
    struct Facts {
        let isFolder: Bool
        let picture: FoundPicture?
        let name: String
        let byteCount: Int
    }

    private static let attributes =
        "standard::name,standard::display-name,standard::type,standard::is-hidden,standard::size,"
        + "standard::fast-content-type,time::modified"

    func facts() throws(SourceProblem) -> Facts {
        var error: UnsafeMutablePointer<GError>?
        guard let info = g_file_query_info(file, Self.attributes, G_FILE_QUERY_INFO_NONE, nil, &error) else {
            throw SourceProblem(taking: error)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(info)) }
        return Facts(
            isFolder: Self.isFolder(info), picture: Self.url(of: file).map { Self.picture(info, at: $0) },
            name: Self.name(info), byteCount: Int(g_file_info_get_attribute_uint64(info, "standard::size")))
    }

    /// The pictures in a folder, by their names as people count: 2 before 10.
    func pictures() throws(SourceProblem) -> [FoundPicture] {
        var error: UnsafeMutablePointer<GError>?
        let flags = G_FILE_QUERY_INFO_NONE
        guard let enumerator = g_file_enumerate_children(file, Self.attributes, flags, nil, &error) else {
            throw SourceProblem(taking: error)
        }
        defer { g_object_unref(enumerator) }
        var found: [FoundPicture] = []
        while let info = g_file_enumerator_next_file(enumerator, nil, &error) {
            defer { g_object_unref(UnsafeMutableRawPointer(info)) }
            if let picture = picture(inFolder: info) { found.append(picture) }
        }
        if error != nil { throw SourceProblem(taking: error) }
        return PictureOrder(key: .name).sorted(found) { ($0.name ?? "", $0.date, $0.byteCount) }
    }

    /// The bytes of the file.
    ///
    /// - Parameter cancellable: Ends the reading when it is cancelled.
    func contents(_ cancellable: Cancellable? = nil) throws(SourceProblem) -> Data {
        var error: UnsafeMutablePointer<GError>?
        var bytes: UnsafeMutablePointer<CChar>?
        var count: gsize = 0
        guard g_file_load_contents(file, cancellable?.pointer, &bytes, &count, nil, &error) != 0 else {
            throw SourceProblem(taking: error)
        }
        defer { g_free(bytes) }
        return bytes.map { Data(bytes: $0, count: Int(count)) } ?? Data()
    }

    // MARK: Reading

    /// nil for what is no picture, and for hidden files.
    private func picture(inFolder info: OpaquePointer) -> FoundPicture? {
        guard !Self.isFolder(info), g_file_info_get_attribute_boolean(info, "standard::is-hidden") == 0,
            Self.isPicture(info), let name = g_file_info_get_name(info), let child = g_file_get_child(file, name)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(child)) }
        return Self.url(of: child).map { Self.picture(info, at: $0) }
    }

    private static func picture(_ info: OpaquePointer, at url: URL) -> FoundPicture {
        let seconds = g_file_info_get_attribute_uint64(info, "time::modified")
        return FoundPicture(
            url: url, name: name(info),
            date: seconds == 0 ? nil : Date(timeIntervalSince1970: Double(seconds)),
            byteCount: Int(g_file_info_get_attribute_uint64(info, "standard::size")))
    }

    private static func isFolder(_ info: OpaquePointer) -> Bool {
        g_file_info_get_attribute_uint32(info, "standard::type") == G_FILE_TYPE_DIRECTORY.rawValue
    }

    private static func isPicture(_ info: OpaquePointer) -> Bool {
        if ImageFormat.isPicture(named: name(info)) { return true }
        guard let type = g_file_info_get_attribute_string(info, "standard::fast-content-type") else { return false }
        return ImageFormat.isPicture(ofType: String(cString: type))
    }

    private static func name(_ info: OpaquePointer) -> String {
        g_file_info_get_attribute_string(info, "standard::display-name").map { String(cString: $0) } ?? ""
    }

    /// A `file:` address where there is a path, also by FUSE; otherwise that of the place itself.
    private static func url(of file: OpaquePointer) -> URL? {
        guard let path = g_file_get_path(file) else { return take(g_file_get_uri(file)).flatMap { URL(string: $0) } }
        defer { g_free(path) }
        return take(g_filename_to_uri(path, nil, nil)).flatMap { URL(string: $0) }
    }

    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}

/// Ends a reading from another thread.
///
/// `@unchecked Sendable`: GCancellable may be used on all threads.
nonisolated final class Cancellable: @unchecked Sendable {
    fileprivate let pointer: UnsafeMutablePointer<GCancellable>? = g_cancellable_new()
    func cancel() { g_cancellable_cancel(pointer) }
    deinit { if let pointer { g_object_unref(pointer) } }
}

extension SourceProblem {
    /// Takes GIO's error.
    fileprivate nonisolated init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self.init(message: "it could not be read")
            return
        }
        defer { g_error_free(error) }
        let isUnmounted = g_error_matches(error, g_io_error_quark(), gint(G_IO_ERROR_NOT_MOUNTED.rawValue)) != 0
        let advice = "it is not mounted; open it in the file manager first"
        self.init(message: isUnmounted ? advice : String(cString: error.pointee.message))
    }
}
