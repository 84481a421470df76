import WebImageCore

/// Requests time in the background for loads with ``WebImageOptions/continueInBackground``.
///
/// A desktop session lets programs run in the background, so there is no provider by default. A GTK app that quits with
/// its last window can hold its application.
public protocol BackgroundTaskProvider: Sendable {
    /// Called when a load begins. The returned task is cancelled when the load ends.
    ///
    /// - Parameter expired: To be called when the time is over: it cancels the load.
    func beginTask(expired: @escaping @Sendable () -> Void) -> any CancellableTask
}
