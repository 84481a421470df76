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
    /// Mounts a place, and returns why that was not possible.
    typealias Mount = @MainActor (_ uri: String, Mounting) async -> SourceProblem?

    private let window: Widget
    private let mount: Mount
    private var mountings: [String: Mounting] = [:]

    init(_ window: Widget, mount: @escaping Mount = VolumeMounter.mountByGIO) {
        self.window = g_object_ref(UnsafeMutableRawPointer(window)).assumingMemoryBound(to: GtkWidget.self)
        self.mount = mount
    }

    isolated deinit { g_object_unref(window) }

    /// A task that was cancelled asks nothing. One that is cancelled later waits: another one may wait for the same answer.
    func mount(_ uri: String) async throws(SourceProblem) {
        guard !Task.isCancelled else { throw SourceProblem(message: "the reading was cancelled") }
        let server = Self.server(of: uri)
        let mounting = mountings[server] ?? Mounting(of: uri, for: window, mount)
        mountings[server] = mounting
        if let problem = await mounting.problem { throw problem }
    }

    /// Begins the reading of other places: questions about other servers are taken back, and what was answered may be asked
    /// again.
    func keep(_ uris: [String]) {
        let servers = Set(uris.map(Self.server))
        for (server, mounting) in mountings where mounting.isOver || !servers.contains(server) {
            mounting.cancel()
            mountings[server] = nil
        }
    }

    /// The place that is mounted at once: a server or a device, but each share of a Windows server.
    nonisolated static func server(of uri: String) -> String {
        let isOfShares = uri.lowercased().hasPrefix("smb:")
        return uri.split(separator: "/").prefix(isOfShares ? 3 : 2).joined(separator: "/")
    }
}

/// A place that is being mounted, and the dialog for it.
final class Mounting {
    let operation: UnsafeMutablePointer<GMountOperation>
    let cancellable = Cancellable()
    private(set) var isOver = false
    private var task: Task<SourceProblem?, Never>?

    init(of uri: String, for window: Widget, _ mount: @escaping VolumeMounter.Mount) {
        operation = gtk_mount_operation_new(cast(window))
        task = Task {
            let problem = await mount(uri, self)
            isOver = true
            return problem
        }
    }

    /// Why it could not be mounted; nil for one that is. Waits for that.
    var problem: SourceProblem? { get async { await task?.value ?? nil } }

    isolated deinit { g_object_unref(operation) }

    /// Ends it, unless it is over.
    func cancel() {
        guard !isOver else { return }
        cancellable.cancel()
        closeDialog()
        // The caller of the mount operation is still waiting.
        g_mount_operation_reply(operation, G_MOUNT_OPERATION_ABORTED)
    }

    /// As the end of the one who has asked does.
    private func closeDialog() {
        var instance = GValue()
        g_value_init(&instance, g_mount_operation_get_type())
        g_value_set_object(&instance, operation)
        g_signal_emitv(&instance, g_signal_lookup("aborted", g_mount_operation_get_type()), 0, nil)
        g_value_unset(&instance)
    }
}

// MARK: - GIO

extension VolumeMounter {
    /// The continuation, as C carries it.
    private final class Answer {
        let continuation: CheckedContinuation<SourceProblem?, Never>
        init(_ continuation: CheckedContinuation<SourceProblem?, Never>) { self.continuation = continuation }
    }

    static func mountByGIO(_ uri: String, _ mounting: Mounting) async -> SourceProblem? {
        await withCheckedContinuation { continuation in
            let file: OpaquePointer = g_file_new_for_uri(uri)
            g_file_mount_enclosing_volume(
                file, G_MOUNT_MOUNT_NONE, mounting.operation, mounting.cancellable.pointer,
                { file, result, data in
                    guard let file, let data else { return }
                    let answer = Unmanaged<Answer>.fromOpaque(data).takeRetainedValue()
                    answer.continuation.resume(returning: VolumeMounter.problem(OpaquePointer(file), result))
                },
                Unmanaged.passRetained(Answer(continuation)).toOpaque())
            g_object_unref(UnsafeMutableRawPointer(file))
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
