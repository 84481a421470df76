import CGtk4
import FoundationEssentials
import WebImage

/// The video of the current page, played by GTK, which needs its GStreamer module for that.
final class BrowserVideo {
    private let overlay: UnsafeMutablePointer<GtkWidget>
    private var player: UnsafeMutablePointer<GtkWidget>?
    private var finding: Task<Void, Never>?
    private var endings: [SignalConnection] = []
    private(set) var stream: UnsafeMutablePointer<GtkMediaStream>?

    /// Whether its address is not known yet.
    private(set) var isResolving = true
    private var startsPaused = false

    /// - Parameters:
    ///   - url: Brings the address.
    ///   - overlay: The `GtkOverlay` of the pages.
    ///   - started: Called when the address is there.
    ///   - ended: Called when the video has ended; with the reason where there is none.
    init(
        _ url: @escaping @Sendable () async throws -> URL?, over overlay: UnsafeMutablePointer<GtkWidget>,
        started: @escaping () -> Void, ended: @escaping (String?) -> Void
    ) {
        self.overlay = overlay
        finding = Task { [weak self] in
            let address: URL?
            do {
                address = try await url()
            } catch {
                if self != nil, !Task.isCancelled { ended("The video cannot be played: \(error)") }
                return
            }
            guard let self, !Task.isCancelled else { return }
            isResolving = false
            guard let address else { return ended("The video cannot be played: it has no address") }
            play(address, ended: ended)
            started()
        }
    }

    isolated deinit {
        finding?.cancel()
        guard let player, gtk_widget_get_parent(player) == overlay else { return }
        pause()
        gtk_overlay_remove_overlay(OpaquePointer(overlay), player)
    }

    private func play(_ url: URL, ended: @escaping (String?) -> Void) {
        guard let file = g_file_new_for_uri(url.absoluteString) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        let player: UnsafeMutablePointer<GtkWidget> = gtk_video_new_for_file(file)
        self.player = player
        gtk_video_set_autoplay(OpaquePointer(player), startsPaused ? 0 : 1)
        gtk_overlay_add_overlay(OpaquePointer(overlay), player)
        guard let stream = gtk_video_get_media_stream(OpaquePointer(player)) else { return }
        self.stream = stream
        endings = ["notify::ended", "notify::error"].map { signal in
            SignalConnection(stream, signal) { [weak self] in self?.check(stream, ended) }
        }
        // Without its module, GTK has failed already.
        check(stream, ended)
    }

    /// A video that fails is taken away after a second, and the browser says why; for instance that GTK lacks its module.
    private func check(_ stream: UnsafeMutablePointer<GtkMediaStream>, _ ended: @escaping (String?) -> Void) {
        if gtk_media_stream_get_ended(stream) != 0 { return ended(nil) }
        guard let error = gtk_media_stream_get_error(stream) else { return }
        let problem = "The video cannot be played: \(String(cString: error.pointee.message))"
        finding = Task { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            if self != nil, !Task.isCancelled { ended(problem) }
        }
    }

    /// Pauses it until the person goes on: GTK would do so when it is seen again.
    func pause() {
        startsPaused = true
        guard let player, let stream else { return }
        gtk_video_set_autoplay(OpaquePointer(player), 0)
        gtk_media_stream_pause(stream)
    }

    /// Pauses it, or goes on.
    func toggle() {
        guard let stream else { return }
        gtk_media_stream_set_playing(stream, gtk_media_stream_get_playing(stream) == 0 ? 1 : 0)
    }
}
