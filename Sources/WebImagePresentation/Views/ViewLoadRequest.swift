import FoundationEssentials
import WebImageCore
import WebImageLoading

/// One call of a view's `setImage`, and the state of its load.
///
/// A class, because many functions pass it on while a cell is bound: copying its many references would take a third of
/// the time.
@MainActor
package final class ViewLoadRequest<View> {
    /// Shows a picture or a placeholder instead of the view: the picture, its file, its source, and the URL.
    package typealias SetImage = (Image?, Data?, ImageCacheType, URL?) -> Void
    package typealias Progress = (LoadProgress) -> Void
    package typealias Completion = (Result<LoadResult, WebImageError>) -> Void

    /// Identifies the load for admission.
    let id = ViewLoadID()
    /// The view.
    package let view: View
    /// The picture of the widget that it is for; also the key of the load, unless the context has one.
    package let place: ViewLoadKey
    /// The picture's URL.
    package let url: URL?
    package let placeholder: Image?
    /// nil for the view's.
    package let transition: WebImageTransition<View>?
    package let options: WebImageOptions
    package let context: WebImageContext
    package let progress: Progress?
    /// nil without a handler.
    let latestProgress: LatestProgress?
    package let completed: Completion?
    /// nil to show pictures in the view.
    package var setImage: SetImage?
    /// The error for an invalid address; nil for a valid one, and for none.
    package var refusal: WebImageError?
    /// The load that this one repeats, whose options are fewer.
    var former: FormerLoad<View>?
    /// Shown when the load fails: that of the context, or of the view.
    var errorImage: Image?

    /// The decode size; nil when the view does not choose it, or has none yet.
    var box: DecodeBox?
    /// Whether a preliminary picture was shown.
    var hasShownPreliminary = false
    /// Whether the preview is shown, or something that has followed it.
    var hasShownPreview = false
    /// The picture of a cache that is shown while it is refreshed.
    var refreshedResult: LoadResult?
    /// The load for ``box``; nil before the interceptors were asked.
    var prepared: PlannedLoad?
    /// nil before the load is held or begins, and after an immediate answer.
    var operation: LoadOperation?
    /// The way to stop an operation that the manager returns after the load was stopped.
    var stop: (LoadOperation) -> Void = { $0.cancel() }
    /// Whether it waits for admission.
    var isHeld = false
    /// The place of its view; nil if that does not matter for the order of loads.
    var visibility: ViewVisibility?
    /// nil until the load has ended.
    var arrived: Result<LoadResult, WebImageError>?
    /// The picture of the ended load.
    var arrivedResult: LoadResult? { try? arrived?.get() }

    package init(
        view: View, place: ViewLoadKey, url: URL?, placeholder: Image? = nil,
        transition: WebImageTransition<View>? = nil,
        options: WebImageOptions = [], context: WebImageContext = WebImageContext(), progress: Progress? = nil,
        completed: Completion? = nil
    ) {
        self.view = view
        self.place = place
        self.url = url
        self.placeholder = placeholder
        self.transition = transition
        self.options = options
        self.context = context
        errorImage = context.errorImage
        self.progress = progress
        latestProgress = progress == nil ? nil : LatestProgress()
        self.completed = completed
    }

    /// The key for cancelling the load.
    package var key: ViewLoadKey { context.operationKey.map { ViewLoadKey($0) } ?? place }

    /// The load for the view's state machine. A closure of the app's may show the picture anywhere, so such loads have
    /// a place per key.
    var load: ViewLoadState.Load {
        ViewLoadState.Load(
            url, key: key, place: setImage == nil ? place : key, options: options,
            hasErrorImage: errorImage != nil, isShownByApp: setImage != nil)
    }

    /// The manager of the load.
    var manager: WebImageManager { context.manager ?? .shared }

    /// Whether the view chooses the decode size, because the app has not.
    var takesViewSize: Bool {
        guard setImage == nil, !options.contains(.scaleDownLargeImages) else { return false }
        return context.read { $0.decodeOptions.hasSize } != true
    }

    /// The context for the manager.
    func contextForManager(callbackQueue: CallbackQueue, box: DecodeBox?) -> WebImageContext {
        context.forManager(key: key, callbackQueue: callbackQueue, box: box)
    }
}

extension ImageDecodeOptions {
    /// Whether they determine the size of the result, where the file is large enough.
    fileprivate var hasSize: Bool { thumbnailPixelSize != nil || scaleDownLimitBytes != nil }
}
