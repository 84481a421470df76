import CGtk4
import FoundationEssentials
import WebImage

/// A file or a folder that GIO opens, also one on a phone or on a server. All methods block; not on the main thread.
nonisolated final class PlaceFile {
    private let file: OpaquePointer
    private let cancellable: Cancellable

    /// - Parameter cancellable: Ends all calls when it is cancelled.
    init(uri: String, _ cancellable: Cancellable) {
        file = g_file_new_for_uri(uri)
        self.cancellable = cancellable
    }

    private init(taking file: OpaquePointer, _ cancellable: Cancellable) {
        self.file = file
        self.cancellable = cancellable
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(file)) }

    /// The facts that a file or a folder tells about itself.
    struct Facts {
        let isFolder: Bool
        /// Whether it has an end and can be read at any time: a device or a pipe may not.
        let isRegular: Bool
        let picture: FoundPicture?
        let name: String
        let byteCount: Int?
    }

    private static let attributes =
        "standard::name,standard::display-name,standard::type,standard::is-hidden,standard::size,"
        + "standard::fast-content-type,time::modified,time::modified-usec,time::changed,time::changed-usec"

    func facts() throws(SourceProblem) -> Facts {
        var error: UnsafeMutablePointer<GError>?
        let flags = G_FILE_QUERY_INFO_NONE
        guard let info = g_file_query_info(file, Self.attributes, flags, cancellable.pointer, &error) else {
            throw SourceProblem(taking: error)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(info)) }
        return Facts(
            isFolder: Self.type(info) == G_FILE_TYPE_DIRECTORY.rawValue, isRegular: Self.isRegular(info),
            picture: Self.url(of: file).map { Self.picture(info, at: $0) }, name: Self.name(info),
            byteCount: Self.byteCount(info))
    }

    /// The pictures in a folder, by their names as people count: 2 before 10. A folder without pictures may have them in its
    /// folders, as phones and cameras do: then it has those, one folder after the other.
    ///
    /// - Throws: Where nothing was found, the first reason.
    func pictures() throws(SourceProblem) -> [FoundPicture] {
        let (own, folders) = try children()
        guard own.isEmpty else { return Self.sorted(own) }
        var all: [FoundPicture] = []
        var problem: SourceProblem?
        for folder in PictureOrder(key: .name).sorted(folders, { ($0.name, nil, nil) }) {
            // One that must not be read does not hide the others.
            do throws(SourceProblem) {
                all += Self.sorted(try folder.place.children().pictures)
            } catch {
                problem = problem ?? error
            }
        }
        if all.isEmpty, let problem { throw problem }
        return all
    }

    private static func sorted(_ pictures: [FoundPicture]) -> [FoundPicture] {
        PictureOrder(key: .name).sorted(pictures) { ($0.name ?? "", $0.date, $0.byteCount) }
    }

    private typealias Folder = (name: String, place: PlaceFile)

    private func children() throws(SourceProblem) -> (pictures: [FoundPicture], folders: [Folder]) {
        var error: UnsafeMutablePointer<GError>?
        let flags = G_FILE_QUERY_INFO_NONE
        guard let enumerator = g_file_enumerate_children(file, Self.attributes, flags, cancellable.pointer, &error)
        else {
            throw SourceProblem(taking: error)
        }
        defer { g_object_unref(enumerator) }
        var found: [FoundPicture] = []
        var folders: [Folder] = []
        while let info = g_file_enumerator_next_file(enumerator, cancellable.pointer, &error) {
            defer { g_object_unref(UnsafeMutableRawPointer(info)) }
            if let picture = picture(inFolder: info) { found.append(picture) }
            if let folder = folder(inFolder: info) { folders.append((Self.name(info), folder)) }
        }
        if error != nil { throw SourceProblem(taking: error) }
        return (found, folders)
    }

    /// The bytes of the file.
    ///
    /// - Parameter limit: A file with more bytes is not read.
    func contents(limit: Int) throws(SourceProblem) -> Data {
        let facts = try facts()
        guard facts.isRegular else { throw SourceProblem(message: "this is no file with an end") }
        guard facts.byteCount ?? 0 <= limit else { throw Self.tooLarge(limit) }
        let data = try beginning(limit + 1)
        guard data.count <= limit else { throw Self.tooLarge(limit) }
        return data
    }

    private static func tooLarge(_ limit: Int) -> SourceProblem {
        SourceProblem(message: "this file has more than \(limit >> 20) MB")
    }

    /// The first bytes of the file, `count` of them at most.
    func beginning(_ count: Int) throws(SourceProblem) -> Data {
        var error: UnsafeMutablePointer<GError>?
        guard let stream = g_file_read(file, cancellable.pointer, &error) else { throw SourceProblem(taking: error) }
        defer { g_object_unref(stream) }
        let input = UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GInputStream.self)
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: min(count, Self.pieceCount))
        while data.count < count {
            let wanted = gsize(min(buffer.count, count - data.count))
            let read = g_input_stream_read(input, &buffer, wanted, cancellable.pointer, &error)
            guard read >= 0 else { throw SourceProblem(taking: error) }
            if read == 0 { break }
            data.append(contentsOf: buffer[..<read])
        }
        return data
    }

    /// The bytes that are read at once; phones are slow with less.
    private static let pieceCount = 256 << 10

    // MARK: Reading

    /// nil for what is no picture, and for hidden files.
    private func picture(inFolder info: OpaquePointer) -> FoundPicture? {
        guard Self.isRegular(info), g_file_info_get_attribute_boolean(info, "standard::is-hidden") == 0,
            Self.isPicture(info), let name = g_file_info_get_name(info), let child = g_file_get_child(file, name)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(child)) }
        return Self.url(of: child).map { Self.picture(info, at: $0) }
    }

    /// nil for what is no folder, and for hidden ones.
    private func folder(inFolder info: OpaquePointer) -> PlaceFile? {
        guard Self.type(info) == G_FILE_TYPE_DIRECTORY.rawValue,
            g_file_info_get_attribute_boolean(info, "standard::is-hidden") == 0,
            let name = g_file_info_get_name(info), let child = g_file_get_child(file, name)
        else { return nil }
        return PlaceFile(taking: child, cancellable)
    }

    static func picture(_ info: OpaquePointer, at url: URL) -> FoundPicture {
        let seconds = g_file_info_get_attribute_uint64(info, "time::modified")
        return FoundPicture(
            url: url, name: name(info),
            date: seconds == 0 ? nil : Date(timeIntervalSince1970: Double(seconds)),
            byteCount: byteCount(info), stamp: stamp(info))
    }

    /// Servers may know no other date than that of the contents.
    private static func stamp(_ info: OpaquePointer) -> FileStamp {
        let isKnown = g_file_info_has_attribute(info, "time::changed") != 0
        let date = isKnown ? "time::changed" : "time::modified"
        return FileStamp(
            seconds: UInt64(g_file_info_get_attribute_uint64(info, date)),
            microseconds: g_file_info_get_attribute_uint32(info, "\(date)-usec"), byteCount: byteCount(info))
    }

    /// nil for a number that no file has, as a broken server says it.
    private static func byteCount(_ info: OpaquePointer) -> Int? {
        Int(exactly: g_file_info_get_attribute_uint64(info, "standard::size"))
    }

    private static func type(_ info: OpaquePointer) -> UInt32 {
        g_file_info_get_attribute_uint32(info, "standard::type")
    }

    /// Some servers do not say what a file is.
    private static func isRegular(_ info: OpaquePointer) -> Bool {
        [G_FILE_TYPE_REGULAR, G_FILE_TYPE_UNKNOWN].contains { $0.rawValue == type(info) }
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
        guard let path = g_file_get_path(file) else {
            return String(taking: g_file_get_uri(file)).flatMap { URL(string: $0) }
        }
        defer { g_free(path) }
        return String(taking: g_filename_to_uri(path, nil, nil)).flatMap { URL(string: $0) }
    }
}
