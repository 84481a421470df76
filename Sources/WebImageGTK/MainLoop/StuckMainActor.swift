import CGtk4
import Dispatch
import Synchronization
import WebImage

/// Warns of a program whose main loop keeps Swift's main actor from running, because its main function is async: no
/// picture ever appears there.
enum StuckMainActor {
    /// How long GTK's loop runs before the main actor counts as stuck, in milliseconds; tests shorten it.
    static var patience: guint = 1000
    private static var isWatched = false

    /// Looks once, when GTK's loop has run for a while: a program without such a loop has nothing to fear.
    static func watch() {
        guard !isWatched else { return }
        isWatched = true
        DispatchQueue.main.async { hasRun.store(true, ordering: .relaxed) }
        g_timeout_add_full(
            G_PRIORITY_DEFAULT, patience,
            { _ in
                if !StuckMainActor.hasRun.load(ordering: .relaxed) { StuckMainActor.warn() }
                return 0
            }, nil, nil)
    }

    /// Whether the main queue has run since.
    private nonisolated static let hasRun = Atomic(false)

    private static func warn() {
        WebImageLog.warn(
            "GTK's main loop cannot serve Swift's main actor, so pictures will not appear: views must be used on the "
                + "thread that started the program, and its main function must not be async")
    }
}
