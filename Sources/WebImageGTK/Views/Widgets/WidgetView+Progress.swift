import Foundation
import WebImage

/// The state of the loads under one key.
public struct ImageLoadState {
    /// The URL of the latest load; nil when it had none.
    public var url: URL?
    /// The progress of the latest load; nil until it is asked for.
    public var progress: Progress?

    /// A state for `url`.
    public init(url: URL? = nil, progress: Progress? = nil) {
        self.url = url
        self.progress = progress
    }
}

extension WidgetView {
    /// The progress of the latest load for this place of the widget, in bytes.
    ///
    /// It is created at first use and serves all later loads under the same key; the app may set one of its own, also
    /// during a load. A load begins with 0 of -1, which means that the total is unknown. A load that ends with a
    /// picture ends at a `fractionCompleted` of 1; one from memory does so at once.
    ///
    /// Its numbers change on the main thread only, shortly after the bytes arrive. Read them there: Foundation's
    /// `Progress` has no lock on Linux, and cannot be observed. It may be the child of another `Progress` that is used
    /// on the main thread. The `progress` closure of `setImage` is called on the main thread, too; to get every change,
    /// use the `events` of the operation that it returns, which **run on the loading threads**.
    public var imageProgress: Progress {
        get {
            if let progress = progress(of: keyAtPlace) { return progress }
            // Must not become a child of the thread's current progress.
            let progress = Progress(parent: nil)
            loads.progress.setObject(ProgressObject(progress), for: keyAtPlace)
            return progress
        }
        nonmutating set { loads.progress.setObject(ProgressObject(newValue), for: keyAtPlace) }
    }

    /// The state of the loads under `key`, running or ended; nil when there were none.
    ///
    /// - Parameter key: nil for the key of the view's place.
    public func imageLoadState(forKey key: String? = nil) -> ImageLoadState? {
        let key = named(key)
        let state = ImageLoadState(url: loads.url(for: key), progress: progress(of: key))
        return state.url == nil && state.progress == nil ? nil : state
    }

    /// Replaces the state of the loads under `key`; nil removes it. Loads continue.
    ///
    /// - Parameter key: nil for the key of the view's place.
    public func setImageLoadState(_ state: ImageLoadState?, forKey key: String? = nil) {
        let key = named(key)
        loads.setURL(state?.url, for: key)
        loads.progress.setObject(state?.progress.map { ProgressObject($0) }, for: key)
    }

    private func progress(of key: ViewLoadKey) -> Progress? {
        (loads.progress.object(for: key) as? ProgressObject)?.progress
    }
}

/// Shows a load's progress by Foundation's `Progress`.
private final class ProgressObject: ProgressCounting {
    let progress: Progress

    init(_ progress: Progress) { self.progress = progress }

    func show(completed: Int64, of total: Int64) {
        // Foundation on Linux crashes when a total becomes 0; a negative total is unknown, too.
        progress.totalUnitCount = total > 0 ? total : -1
        progress.completedUnitCount = completed
    }
}
