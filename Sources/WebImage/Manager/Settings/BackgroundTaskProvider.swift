/// Keeps an app alive, or tells that it may not go on, while loads with ``WebImageOptions/continueInBackground`` run.
///
/// A desktop session lets programs run in the background, so that there is none by default; GTK apps that end with their
/// last window hold the application with it.
public protocol BackgroundTaskProvider: Sendable {
    /// A load began. The task is cancelled when the load has ended.
    ///
    /// - Parameter expired: To be called when the time is up: it cancels the load.
    func beginTask(expired: @escaping @Sendable () -> Void) -> any CancellableTask
}
