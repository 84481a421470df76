import CGtk4
import Foundation
import XCTest

/// The tree of accessible objects of this process, as a screen reader sees it: read over AT-SPI's bus.
final class AccessibilityBus: Sendable {
    /// The variable by which GTK finds the bus.
    static let variable = "AT_SPI_BUS_ADDRESS"

    /// Starts a bus, whose greeting is its address, and the registry of programs on it.
    static func start() throws -> (bus: TestServer, registry: TestServer) {
        let configuration = "/usr/share/defaults/at-spi2/accessibility.conf"
        guard FileManager.default.fileExists(atPath: configuration) else {
            throw XCTSkip("\(configuration) is missing; install at-spi2-core")
        }
        let bus = try TestServer(
            "/usr/bin/dbus-daemon", ["--config-file=\(configuration)", "--nofork", "--print-address=1"],
            package: "dbus-daemon")
        let registry = try TestServer(
            "/usr/libexec/at-spi2-registryd", environment: [variable: bus.greeting], package: "at-spi2-core")
        return (bus, registry)
    }

    /// `nonisolated(unsafe)`: GDBusConnection may be used from any thread.
    nonisolated(unsafe) private let connection: OpaquePointer

    /// Connects to the bus of this process.
    init() throws {
        let address = try XCTUnwrap(getenv(Self.variable).map { String(cString: $0) })
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        connection = try XCTUnwrap(g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

    /// The objects of this process, without those that are not shown; nil while it is not on the bus. The main loop must
    /// run meanwhile, on another thread.
    func tree() -> AccessibleNode? {
        let root = Reference(name: "org.a11y.atspi.Registry", path: "/org/a11y/atspi/accessible/root")
        return children(of: root).first.map(node)
    }

    private struct Reference {
        let name: String
        let path: String
    }

    private func node(_ reference: Reference) -> AccessibleNode {
        AccessibleNode(
            role: string(call(reference, "GetRoleName")), name: name(of: reference),
            children: children(of: reference).filter(isShown).map(node))
    }

    private func isShown(_ reference: Reference) -> Bool {
        guard let answer = call(reference, "GetState") else { return false }
        defer { g_variant_unref(answer) }
        let list = g_variant_get_child_value(answer, 0)
        defer { g_variant_unref(list) }
        let first = g_variant_get_child_value(list, 0)
        defer { g_variant_unref(first) }
        // ATSPI_STATE_VISIBLE.
        return g_variant_get_uint32(first) & 1 << 30 != 0
    }

    private func name(of reference: Reference) -> String {
        let parameters = g_variant_parse(nil, "('org.a11y.atspi.Accessible', 'Name')", nil, nil, nil)
        guard let answer = call(reference, "Get", of: "org.freedesktop.DBus.Properties", parameters) else { return "" }
        defer { g_variant_unref(answer) }
        let boxed = g_variant_get_child_value(answer, 0)
        defer { g_variant_unref(boxed) }
        let value = g_variant_get_variant(boxed)
        defer { g_variant_unref(value) }
        return String(cString: g_variant_get_string(value, nil))
    }

    private func children(of reference: Reference) -> [Reference] {
        guard let answer = call(reference, "GetChildren") else { return [] }
        defer { g_variant_unref(answer) }
        let list = g_variant_get_child_value(answer, 0)
        defer { g_variant_unref(list) }
        return (0..<g_variant_n_children(list)).map { index in
            let item = g_variant_get_child_value(list, index)
            defer { g_variant_unref(item) }
            return Reference(name: string(item, at: 0), path: string(item, at: 1))
        }
    }

    private func string(_ answer: OpaquePointer?) -> String {
        guard let answer else { return "" }
        defer { g_variant_unref(answer) }
        return string(answer, at: 0)
    }

    private func string(_ tuple: OpaquePointer?, at index: Int) -> String {
        let child = g_variant_get_child_value(tuple, gsize(index))
        defer { g_variant_unref(child) }
        return String(cString: g_variant_get_string(child, nil))
    }

    private func call(
        _ reference: Reference, _ method: String, of interface: String = "org.a11y.atspi.Accessible",
        _ parameters: OpaquePointer? = nil
    ) -> OpaquePointer? {
        g_dbus_connection_call_sync(
            connection, reference.name, reference.path, interface, method, parameters, nil, G_DBUS_CALL_FLAGS_NONE,
            5000,
            nil, nil)
    }
}

/// An object that a screen reader knows.
struct AccessibleNode: Sendable {
    let role: String
    let name: String
    let children: [AccessibleNode]

    /// This and all below, in the order of reading.
    var all: [AccessibleNode] { [self] + children.flatMap(\.all) }

    func names(of role: String) -> [String] { all.filter { $0.role == role }.map(\.name) }

    /// The tree as text, an object on each line.
    var text: String { lines.joined(separator: "\n") }

    private var lines: [String] { ["\(role) \"\(name)\""] + children.flatMap(\.lines).map { "  " + $0 } }
}
