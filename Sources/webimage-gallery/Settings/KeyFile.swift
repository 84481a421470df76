import CGtk4
import FoundationEssentials
import WebImage

/// A file of keys and values of one group, as GLib reads and writes it.
nonisolated final class KeyFile {
    private let file: OpaquePointer = g_key_file_new()
    private static let group = "gallery"

    /// Larger files are none of this program's.
    static let byteLimit = 32 << 20

    /// A file that is missing or damaged, is no regular one or is too large has no keys.
    init(_ path: String) {
        let place = URL(filePath: path).resolvingSymlinksInPath().path
        guard let bytes = try? POSIXFileSystem().read(place, limit: Self.byteLimit), bytes.count > 0 else { return }
        let text = String(decoding: bytes.data(in: 0..<bytes.count), as: UTF8.self)
        g_key_file_load_from_data(file, text, gsize(text.utf8.count), G_KEY_FILE_NONE, nil)
    }

    deinit { g_key_file_unref(file) }

    func string(_ key: String) -> String? {
        guard let text = g_key_file_get_string(file, Self.group, key, nil) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }

    func strings(_ key: String) -> [String] {
        var count: gsize = 0
        guard let list = g_key_file_get_string_list(file, Self.group, key, &count, nil) else { return [] }
        defer { g_strfreev(list) }
        return (0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } }
    }

    func boolean(_ key: String) -> Bool { g_key_file_get_boolean(file, Self.group, key, nil) != 0 }

    func integer(_ key: String) -> Int? { string(key).flatMap { Int($0) } }

    func set(_ key: String, _ value: String) { g_key_file_set_string(file, Self.group, key, value) }
    func set(_ key: String, _ value: Bool) { g_key_file_set_boolean(file, Self.group, key, value ? 1 : 0) }
    func set(_ key: String, _ value: Int) { set(key, "\(value)") }

    /// The bytes of the file that will be written.
    var byteCount: Int {
        var count: gsize = 0
        g_free(g_key_file_to_data(file, &count, nil))
        return Int(count)
    }

    func set(_ key: String, _ values: [String]) {
        let copies = values.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        g_key_file_set_string_list(file, Self.group, key, copies.map { UnsafePointer($0) } + [nil], gsize(values.count))
    }

    /// Writes the file, and makes its folder.
    func write(to path: String) throws(SourceProblem) {
        let folder = g_path_get_dirname(path)
        defer { g_free(folder) }
        guard g_mkdir_with_parents(folder, 0o700) == 0, g_key_file_save_to_file(file, path, nil) != 0 else {
            throw SourceProblem(message: "\(path): the state could not be written; may this folder be written?")
        }
    }
}
