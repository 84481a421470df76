import CGtk4
import WebImage

extension WebImageManager {
    /// Lets loads with ``WebImage/WebImageOptions/continueInBackground`` go on when the last window is closed: the
    /// application is held until they have ended, or their time is up and they are cancelled.
    ///
    /// ```swift
    /// WebImageManager.shared.continueInBackground(holding: application)
    /// ```
    /// Takes the place of ``WebImage/WebImageManager/backgroundTasks``. An application that is told to quit, by
    /// `g_application_quit`, is not held.
    /// - Parameters:
    ///   - application: Kept alive by the manager.
    ///   - limit: How long all such loads together may take once there is no window; half a minute by default.
    @MainActor
    public func continueInBackground(
        holding application: UnsafeMutablePointer<GtkApplication>, for limit: Duration = .seconds(30)
    ) {
        let application = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
        continueInBackground(holding: application, for: limit)
    }

    /// The same for an application without GTK's windows: it counts as being in the background all the time.
    @MainActor
    public func continueInBackground(
        holding application: UnsafeMutablePointer<GApplication>, for limit: Duration = .seconds(30)
    ) {
        backgroundTasks = ApplicationHold(application, limit: limit)
    }
}
