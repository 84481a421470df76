import CGtk4
import FoundationEssentials
import WebImageGTK

/// Mounts servers and phones, which may ask for a password.
protocol PlaceMounter: AnyObject, Sendable {
    /// Returns when the place is mounted.
    func mount(_ uri: String) async throws(SourceProblem)
}

/// Mounts places by GVfs, and asks in dialogs of a window: once for each server, however many of its files are read.
final class VolumeMounter: PlaceMounter {
    private let window: Widget
    private var mounts: [String: Task<SourceProblem?, Never>] = [:]

    init(_ window: Widget) {
        self.window = g_object_ref(UnsafeMutableRawPointer(window)).assumingMemoryBound(to: GtkWidget.self)
    }

    isolated deinit { g_object_unref(window) }

    func mount(_ uri: String) async throws(SourceProblem) {
        let server = Self.server(of: uri)
        let mount = mounts[server] ?? Task { await start(uri) }
        mounts[server] = mount
        if let problem = await mount.value { throw problem }
    }

    /// What is mounted at once: a server or a device, but each share of a Windows server.
    nonisolated static func server(of uri: String) -> String {
        let isOfShares = uri.lowercased().hasPrefix("smb:")
        return uri.split(separator: "/").prefix(isOfShares ? 3 : 2).joined(separator: "/")
    }

    /// The continuation, as C carries it.
    private final class Answer {
        let continuation: CheckedContinuation<SourceProblem?, Never>
        init(_ continuation: CheckedContinuation<SourceProblem?, Never>) { self.continuation = continuation }
    }

    private func start(_ uri: String) async -> SourceProblem? {
        await withCheckedContinuation { continuation in
            let operation: UnsafeMutablePointer<GMountOperation> = gtk_mount_operation_new(window.of(GtkWindow.self))
            let file: OpaquePointer = g_file_new_for_uri(uri)
            g_file_mount_enclosing_volume(
                file, G_MOUNT_MOUNT_NONE, operation, nil,
                { file, result, data in
                    guard let file, let data else { return }
                    let answer = Unmanaged<Answer>.fromOpaque(data).takeRetainedValue()
                    answer.continuation.resume(returning: VolumeMounter.problem(OpaquePointer(file), result))
                },
                Unmanaged.passRetained(Answer(continuation)).toOpaque())
            g_object_unref(UnsafeMutableRawPointer(file))
            g_object_unref(operation)
        }
    }

    /// nil for a place that is mounted, also by another program in the meantime.
    private nonisolated static func problem(_ file: OpaquePointer, _ result: OpaquePointer?) -> SourceProblem? {
        var error: UnsafeMutablePointer<GError>?
        guard g_file_mount_enclosing_volume_finish(file, result, &error) == 0 else { return nil }
        if let error, SourceProblem.code(error) == G_IO_ERROR_ALREADY_MOUNTED {
            g_error_free(error)
            return nil
        }
        return SourceProblem(taking: error)
    }
}
