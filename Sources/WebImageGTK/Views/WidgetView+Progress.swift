import Foundation
import WebImage

/// What is known of the loads under one key.
public struct ImageLoadState {
    /// The URL of the latest one; nil when it had none.
    public var url: URL?
    /// Shows how far it is; nil when nobody has asked for that.
    public var progress: Progress?

    /// A state of `url`.
    public init(url: URL? = nil, progress: Progress? = nil) {
        self.url = url
        self.progress = progress
    }
}

extension WidgetView {
    /// Shows how far the latest load for this place of the widget is, in bytes.
    ///
    /// It is made when it is asked for, and is then that of all later loads under the same key; the app may put one of its
    /// own there, also while a load runs. A load begins with 0 of -1, which stands for unknown; with a picture it ends at
    /// a `fractionCompleted` of 1, as one from memory does at once.
    ///
    /// Its numbers change on the main thread only, a moment after the bytes came, and are to be looked at there:
    /// Foundation's `Progress` has no lock on Linux, and nobody can observe it. It may be the child of another one that is
    /// used on the main thread. Whoever wants to hear of each change takes the `progress` closure of
    /// ``setImage(with:placeholder:options:context:progress:completed:)`` or the `events` of the operation that it
    /// returns, both of which **come on the threads that load**.
    public var imageProgress: Progress {
        get {
            if let progress = progress(of: keyAtPlace) { return progress }
            // No child of the progress that happens to be current on this thread.
            let progress = Progress(parent: nil)
            loads.progress.setObject(ProgressObject(progress), for: keyAtPlace)
            return progress
        }
        nonmutating set { loads.progress.setObject(ProgressObject(newValue), for: keyAtPlace) }
    }

    /// What is known of the loads under `key`, running or over; nil when there were none.
    ///
    /// - Parameter key: nil is the key of the view's place.
    public func imageLoadState(forKey key: String? = nil) -> ImageLoadState? {
        let key = named(key)
        let state = ImageLoadState(url: loads.url(for: key), progress: progress(of: key))
        return state.url == nil && state.progress == nil ? nil : state
    }

    /// Puts other knowledge in place of what is known of the loads under `key`; nil forgets it. Loads go on.
    ///
    /// - Parameter key: nil is the key of the view's place.
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
        // Foundation on Linux ends the process when a total becomes 0; below 0 it is unknown, too.
        progress.totalUnitCount = total > 0 ? total : -1
        progress.completedUnitCount = completed
    }
}
