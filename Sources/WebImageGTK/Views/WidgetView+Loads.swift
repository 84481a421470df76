import FoundationEssentials
import WebImage

/// What is under way. Every load has a key: its context's `setImageOperationKey`, or else that of the view's place. A new
/// load cancels the one before it under the same key, and no other. A place shows what it was bound to last, under whatever
/// key; `setImage` closures show what they get.
extension WidgetView {
    /// The URL of the widget's latest load, running or over; nil when that had none.
    public var imageURL: URL? { loads.url(for: loads.latestKey) }

    /// The URL of the latest load for this place of the widget.
    public var currentImageURL: URL? { loads.url(for: keyAtPlace) }

    /// Whether a load for this place of the widget is under way, be it one that waits for the view's size or for a scroller
    /// to slow down.
    public var isLoading: Bool { loads.isLoading(keyAtPlace) }

    /// The key of the widget's latest load.
    public var latestOperationKey: String { loads.latestKey.name }

    /// Cancels the widget's latest load if it runs; its completion is called before this call returns.
    public func cancelLatestImageLoad() { loads.cancel(loads.latestKey) }

    /// Cancels the latest load for this place of the widget if it runs; its completion is called before this call
    /// returns.
    public func cancelCurrentImageLoad() { loads.cancel(keyAtPlace) }

    /// What runs under `key`: a load, or what ``setImageLoadOperation(_:forKey:)`` has put there; nil when that is over.
    ///
    /// - Parameter key: nil is the key of the view's place.
    public func imageLoadOperation(forKey key: String? = nil) -> (any CancellableTask)? {
        loads.operation(for: named(key))
    }

    /// Puts an operation of the app's own under `key`, so that the next load under it, and the end of the widget, cancel
    /// that. It takes the place of the one before it, which is not cancelled, and is held weakly. nil changes nothing.
    ///
    /// - Parameter key: nil is the key of the view's place.
    public func setImageLoadOperation(_ operation: (any CancellableTask)?, forKey key: String? = nil) {
        loads.setOperation(operation, for: named(key))
    }

    /// Cancels what runs under `key`; the completion of a load is called before this call returns.
    ///
    /// - Parameter key: nil is the key of the view's place.
    public func cancelImageLoad(forKey key: String? = nil) { loads.cancel(named(key)) }

    /// Lets what runs under `key` go on, whatever else is loaded or cancelled under it. Once another load has begun under
    /// the key, what arrives for the older one is not shown.
    ///
    /// - Parameter key: nil is the key of the view's place.
    public func removeImageLoadOperation(forKey key: String? = nil) { loads.removeOperation(for: named(key)) }
}

extension WidgetView {
    /// What loads, and what they tell at their end, know of the view. The widget keeps them, and with them would keep a
    /// view that keeps the widget.
    var viewOfLoads: any WidgetView { (self as? WebImageView).map { PictureView($0.widget) } ?? self }

    var loads: ViewCoordinator<WidgetSurface> { Coordinator.of(widget).loads }

    /// The key of the latest load for the view's place.
    var keyAtPlace: ViewLoadKey { loads.latestKey(at: slot.key) }

    /// The key called `name`; that of the view's place for nil.
    func named(_ name: String?) -> ViewLoadKey { name.map { ViewLoadKey($0) } ?? slot.key }
}
