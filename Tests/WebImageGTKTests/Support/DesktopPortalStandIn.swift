import CGtk4
import Foundation
import XCTest

/// The portal of a desktop, on the session bus of this process: it notes what it is asked for, and answers.
@MainActor
final class DesktopPortalStandIn {
    struct Request {
        let method: String
        /// As GLib writes them.
        let arguments: String
        /// The bytes of the files that came with it.
        let files: [Data]
    }

    private(set) var requests: [Request] = []
    /// The reason why nothing is done; nil to do it.
    var refusal: String?
    private let connection: OpaquePointer

    private static let interfaces = """
        <node>
          <interface name='org.freedesktop.portal.OpenURI'><method name='OpenFile'>
            <arg type='s'/><arg type='h'/><arg type='a{sv}'/><arg type='o' direction='out'/>
          </method></interface>
          <interface name='org.freedesktop.portal.Email'><method name='ComposeEmail'>
            <arg type='s'/><arg type='a{sv}'/><arg type='o' direction='out'/>
          </method></interface>
        </node>
        """

    init() throws {
        let address = try XCTUnwrap(getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) })
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        connection = try XCTUnwrap(g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil))
        let name = g_variant_parse(nil, "('org.freedesktop.portal.Desktop', uint32 0)", nil, nil, nil)
        let bus = "org.freedesktop.DBus"
        let answer = g_dbus_connection_call_sync(
            connection, bus, "/org/freedesktop/DBus", bus, "RequestName", name, nil, G_DBUS_CALL_FLAGS_NONE, 5000, nil,
            nil)
        g_variant_unref(try XCTUnwrap(answer))
        try register()
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

    private func register() throws {
        let node = try XCTUnwrap(g_dbus_node_info_new_for_xml(Self.interfaces, nil))
        defer { g_dbus_node_info_unref(node) }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, _, _, _, method, arguments, invocation, data in
            guard let method, let arguments, let invocation, let data else { return }
            nonisolated(unsafe) let (call, values, stand) = (invocation, arguments, data)
            let name = String(cString: method)
            MainActor.assumeIsolated {
                Unmanaged<DesktopPortalStandIn>.fromOpaque(stand).takeUnretainedValue().answer(name, values, call)
            }
        }
        for name in ["org.freedesktop.portal.OpenURI", "org.freedesktop.portal.Email"] {
            let interface = g_dbus_node_info_lookup_interface(node, name)
            let number = g_dbus_connection_register_object(
                connection, "/org/freedesktop/portal/desktop", interface, &table,
                Unmanaged.passUnretained(self).toOpaque(), nil, nil)
            XCTAssertNotEqual(number, 0)
        }
    }

    private func answer(_ method: String, _ arguments: OpaquePointer, _ invocation: OpaquePointer) {
        let text = g_variant_print(arguments, 0)
        defer { g_free(text) }
        requests.append(
            Request(
                method: method, arguments: text.map { String(cString: $0) } ?? "", files: files(with: invocation)))
        if let refusal {
            return g_dbus_method_invocation_return_dbus_error(
                invocation, "org.freedesktop.portal.Error.Failed", refusal)
        }
        var path = g_variant_new_object_path("/org/freedesktop/portal/desktop/request/1")
        g_dbus_method_invocation_return_value(invocation, g_variant_new_tuple(&path, 1))
    }

    private func files(with invocation: OpaquePointer) -> [Data] {
        guard let message = g_dbus_method_invocation_get_message(invocation),
            let list = g_dbus_message_get_unix_fd_list(message)
        else { return [] }
        return (0..<g_unix_fd_list_get_length(list)).compactMap { index in
            let descriptor = g_unix_fd_list_get(list, index, nil)
            guard descriptor >= 0 else { return nil }
            return try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd()
        }
    }
}
