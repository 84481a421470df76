import CGtk4
import WebImage

extension WebImageManager {
    /// Lets loads with ``WebImage/WebImageOptions/continueInBackground`` go on when the last window is closed: holds
    /// the application until they end, or until their time is up and they are cancelled.
    ///
    /// ```swift
    /// WebImageManager.shared.continueInBackground(holding: application)
    /// ```
    /// Replaces ``WebImage/WebImageManager/backgroundTasks``. An application that quits by `g_application_quit` is not
    /// held.
    /// - Parameters:
    ///   - application: Kept alive by the manager.
    ///   - limit: How long all such loads together may take once there is no window; 30 seconds by default.
    @MainActor
    public func continueInBackground(
        holding application: UnsafeMutablePointer<GtkApplication>, for limit: Duration = .seconds(30)
    ) {
        let application = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
        continueInBackground(holding: application, for: limit)
    }

    /// The same for an application without GTK windows: it counts as always in the background.
    @MainActor
    public func continueInBackground(
        holding application: UnsafeMutablePointer<GApplication>, for limit: Duration = .seconds(30)
    ) {
        backgroundTasks = ApplicationHold(application, limit: limit)
    }
}
