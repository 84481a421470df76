import FoundationEssentials
import WebImage

/// The loads of a view. Every load has a key: its context's `operationKey`, or that of the view's place. A new
/// load cancels the one before it under the same key, and no other. A place shows its latest load, whatever the key;
/// `setImage` closures get the picture of their own load.
extension WidgetView {
    /// The URL of the widget's latest load, running or ended; nil when that had none.
    public var imageURL: URL? { loads.url(for: loads.latestKey) }

    /// The URL of the latest load for this place of the widget.
    public var currentImageURL: URL? { loads.url(for: keyAtPlace) }

    /// Whether a load for this place of the widget is under way, including one that waits for the view's size or for a
    /// scroller to slow down.
    public var isLoading: Bool { loads.isLoading(keyAtPlace) }

    /// The key of the widget's latest load.
    public var latestOperationKey: String { loads.latestKey.name }

    /// Cancels the widget's latest load, if it runs; its completion is called before this call returns.
    public func cancelLatestImageLoad() { loads.cancel(loads.latestKey) }

    /// Cancels the latest load for this place of the widget, if it runs; its completion is called before this call
    /// returns.
    public func cancelCurrentImageLoad() { loads.cancel(keyAtPlace) }

    /// The operation under `key`: a load, or the operation set by ``setImageLoadOperation(_:forKey:)``; nil when it has
    /// ended.
    ///
    /// - Parameter key: nil for the key of the view's place.
    public func imageLoadOperation(forKey key: String? = nil) -> (any CancellableTask)? {
        loads.operation(for: named(key))
    }

    /// Sets an operation of the app's under `key`, so that the next load under the key, and the end of the widget,
    /// cancel it. It replaces the former operation without cancelling it, and is held weakly. nil changes nothing.
    ///
    /// - Parameter key: nil for the key of the view's place.
    public func setImageLoadOperation(_ operation: (any CancellableTask)?, forKey key: String? = nil) {
        loads.setOperation(operation, for: named(key))
    }

    /// Cancels the operation under `key`; the completion of a load is called before this call returns.
    ///
    /// - Parameter key: nil for the key of the view's place.
    public func cancelImageLoad(forKey key: String? = nil) { loads.cancel(named(key)) }

    /// Detaches the operation under `key`: later loads and cancellations under the key do not affect it. Once another
    /// load has begun under the key, the picture of the detached one is not shown.
    ///
    /// - Parameter key: nil for the key of the view's place.
    public func removeImageLoadOperation(forKey key: String? = nil) { loads.removeOperation(for: named(key)) }
}

extension WidgetView {
    /// The view that loads and their completions hold. The widget owns the loads; they must not retain a
    /// `WebImageView`, which retains the widget.
    var viewOfLoads: any WidgetView { (self as? WebImageView).map { PictureView($0.widget) } ?? self }

    var loads: ViewCoordinator<WidgetSurface> { Coordinator.of(widget).loads }

    /// The key of the latest load for the view's place.
    var keyAtPlace: ViewLoadKey { loads.latestKey(at: slot.key) }

    /// The key called `name`; for nil, the key of the view's place.
    func named(_ name: String?) -> ViewLoadKey { name.map { ViewLoadKey($0) } ?? slot.key }
}
