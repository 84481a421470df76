import CGtk4
import Glibc

/// The desktop's work with files, through its portal (xdg-desktop-portal: OpenURI version 3, Email version 3), with
/// which apps in a sandbox work as well.
enum DesktopPortal {
    private static let name = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"

    /// Opens a file in an app that the person chooses.
    ///
    /// - Parameter done: Gets the reason where nothing happens.
    static func open(_ file: String, done: @escaping (String?) -> Void) {
        withHandle(of: file, done) { list, handle in
            let options = dictionary([("ask", g_variant_new_boolean(1))])
            let arguments = [g_variant_new_string(""), g_variant_new_handle(handle), options]
            call("org.freedesktop.portal.OpenURI", "OpenFile", arguments, list) { problem in
                done(problem.map { "No app could be asked to open the photo: \($0)" })
            }
        }
    }

    /// Begins a mail with the file.
    static func mail(_ file: String, subject: String, done: @escaping (String?) -> Void) {
        withHandle(of: file, done) { list, handle in
            let element = g_variant_type_new("h")
            defer { g_variant_type_free(element) }
            var handles: [OpaquePointer?] = [g_variant_new_handle(handle)]
            let options = dictionary([
                ("subject", g_variant_new_string(subject)),
                ("attachment_fds", g_variant_new_array(element, &handles, 1)),
            ])
            let arguments = [g_variant_new_string(""), options]
            call("org.freedesktop.portal.Email", "ComposeEmail", arguments, list) { problem in
                done(problem.map { "No mail could be begun: \($0)" })
            }
        }
    }

    private static func withHandle(
        of file: String, _ done: (String?) -> Void,
        _ body: (_ list: UnsafeMutablePointer<GUnixFDList>, _ handle: gint) -> Void
    ) {
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let list = g_unix_fd_list_new() else {
            return done("The photo's file cannot be read")
        }
        defer {
            close(descriptor)
            g_object_unref(list)
        }
        let handle = g_unix_fd_list_append(list, descriptor, nil)
        guard handle >= 0 else { return done("There are too many open files") }
        body(list, handle)
    }

    private static func dictionary(_ entries: [(String, OpaquePointer?)]) -> OpaquePointer? {
        let type = g_variant_type_new("{sv}")
        defer { g_variant_type_free(type) }
        var children = entries.map { g_variant_new_dict_entry(g_variant_new_string($0.0), g_variant_new_variant($0.1)) }
        return g_variant_new_array(type, &children, gsize(children.count))
    }

    /// Kept: the portal closes the dialogs of a caller that has left the bus.
    private static var session: OpaquePointer?

    private final class Answer {
        let done: (String?) -> Void
        init(_ done: @escaping (String?) -> Void) { self.done = done }
    }

    private static func call(
        _ interface: String, _ method: String, _ arguments: [OpaquePointer?], _ list: UnsafeMutablePointer<GUnixFDList>,
        done: @escaping (String?) -> Void
    ) {
        var arguments = arguments
        let tuple = g_variant_new_tuple(&arguments, gsize(arguments.count))
        var error: UnsafeMutablePointer<GError>?
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error) else {
            g_variant_unref(g_variant_ref_sink(tuple))
            done(error.map { String(cString: $0.pointee.message) } ?? "there is no desktop")
            g_clear_error(&error)
            return
        }
        if session == nil { session = bus } else { g_object_unref(UnsafeMutableRawPointer(bus)) }
        g_dbus_connection_call_with_unix_fd_list(
            bus, name, path, interface, method, tuple, nil, G_DBUS_CALL_FLAGS_NONE, -1, list, nil,
            { source, result, data in
                guard let data else { return }
                var error: UnsafeMutablePointer<GError>?
                let answer = g_dbus_connection_call_with_unix_fd_list_finish(
                    OpaquePointer(source), nil, result, &error)
                if let answer { g_variant_unref(answer) }
                let problem = error.map { String(cString: $0.pointee.message) }
                g_clear_error(&error)
                Unmanaged<Answer>.fromOpaque(data).takeRetainedValue().done(problem)
            }, Unmanaged.passRetained(Answer(done)).toOpaque())
    }
}
