import FoundationEssentials

/// One call of a view's `setImage`, and what it has led to so far.
///
/// A class, because it goes through many hands while a cell is bound: copies of so many references would take a third of
/// the time.
@MainActor
package final class ViewLoadRequest<View> {
    /// Shows a picture or a placeholder in place of the view: what, its file, where it came from, and the URL.
    package typealias SetImage = (Image?, Data?, ImageCacheType, URL?) -> Void
    package typealias Progress = @Sendable (LoadProgress) -> Void
    package typealias Completion = (Result<LoadResult, WebImageError>) -> Void

    /// The view that was asked.
    package let view: View
    /// Which of the pictures of its widget it is; names the load, too, where the context does not.
    package let place: ViewLoadKey
    /// Where the picture is.
    package let url: URL?
    package let placeholder: Image?
    package let options: WebImageOptions
    package let context: WebImageContext
    package let progress: Progress?
    package let completed: Completion?
    /// nil shows pictures as the view does.
    package var setImage: SetImage?
    /// Why the address that was given is none; nil for one, and for no address at all.
    package var refusal: WebImageError?

    /// What the picture is decoded for; nil when that is not the view's choice, or not known yet.
    var box: DecodeBox?
    /// Whether something was shown of it that was not the picture yet.
    var hasShownPreliminary = false
    /// nil before the manager was asked, and after it answered at once.
    var operation: LoadOperation?
    /// How the operation is left that the manager hands out after the load was stopped.
    var stop: (LoadOperation) -> Void = { $0.cancel() }
    /// Whether it waits until it may begin.
    var isHeld = false
    /// nil until the load has ended.
    var arrived: Result<LoadResult, WebImageError>?
    /// The picture that it ended with.
    var arrivedResult: LoadResult? { try? arrived?.get() }

    package init(
        view: View, place: ViewLoadKey, url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: Progress? = nil, completed: Completion? = nil
    ) {
        self.view = view
        self.place = place
        self.url = url
        self.placeholder = placeholder
        self.options = options
        self.context = context
        self.progress = progress
        self.completed = completed
    }

    /// The key under which the load can be cancelled.
    package var key: ViewLoadKey { context.setImageOperationKey.map { ViewLoadKey($0) } ?? place }

    /// What the state of the view is told of it. A closure of the app's own may show the picture anywhere, so that loads
    /// under different keys have different places.
    var load: ViewLoadState.Load {
        ViewLoadState.Load(
            url, key: key, place: setImage == nil ? place : key, options: options,
            hasErrorImage: context.errorImage != nil, isShownByApp: setImage != nil)
    }

    /// Who loads.
    var manager: WebImageManager { context.imageManager ?? .shared }

    /// Whether the app has left it to the view how large the picture is decoded.
    var takesViewSize: Bool {
        setImage == nil && context.imageThumbnailPixelSize == nil && context.imageScaleDownLimitBytes == nil
            && context.imageDecodeOptions?.thumbnailPixelSize == nil && !options.contains(.scaleDownLargeImages)
    }

    /// What the manager gets of the context.
    func contextForManager(callbackQueue: CallbackQueue, box: DecodeBox?) -> WebImageContext {
        context.forManager(key: key, callbackQueue: callbackQueue, box: box)
    }
}
