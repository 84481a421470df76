import FoundationEssentials
import WebImageCore
import WebImageLoading

/// A loaded picture in a view, and the data for loading it again. It retains neither the view nor the callbacks.
@MainActor
struct ShownPicture {
    /// Its decode size; nil when the view did not choose it.
    var box: DecodeBox?
    /// Weak: the view and, most likely, the memory cache retain it.
    weak var image: Image?
    /// Whether the view has released it, because it is invisible.
    var isDropped = false
    /// The load that restores it, or decodes it again for a larger size.
    var reload: Reload?

    /// Such a load, which may be taken back and begin again.
    struct Reload {
        let id: ViewLoadID
        let box: DecodeBox?
        /// The place of its view; nil if that does not matter for the order of loads.
        var visibility: ViewVisibility?
        /// nil before the interceptors were asked.
        var prepared: PlannedLoad?
        /// nil before its beginning, and while the manager begins it.
        var operation: LoadOperation?
        /// Whether it waits.
        var isHeld = true
    }

    private let url: URL?
    private let placeholder: Image?
    private let errorImage: Image?
    private let options: WebImageOptions
    private var context: WebImageContext
    private let key: ViewLoadKey

    init<View>(_ image: Image, by request: ViewLoadRequest<View>) {
        self.image = image
        box = request.box
        url = request.url
        placeholder = request.placeholder
        errorImage = request.errorImage
        options = request.options
        context = request.context
        // The picture itself stands for a sharper one.
        context.preview = nil
        key = request.key
    }

    /// The load from the nearest source, without callbacks to the app.
    func prepare(for box: DecodeBox?, callbackQueue: CallbackQueue, completed: @escaping LoadCallbacks.Completion)
        -> PlannedLoad
    {
        manager.prepare(
            request(for: box, callbackQueue: callbackQueue), LoadCallbacks(queue: callbackQueue, completed: completed))
    }

    /// Whether it may be released: memory has it, and if memory evicts it, too, it need not be transferred again.
    ///
    /// - Parameter evenFromMemory: Whether to release it even if memory does not have it.
    func canBeLetGo(evenFromMemory: Bool, callbackQueue: CallbackQueue) -> Bool {
        let request = request(for: box, callbackQueue: callbackQueue)
        return evenFromMemory ? manager.hasFile(of: request) : manager.keeps(request)
    }

    /// Whether its loads wait while a scroller is fast.
    var isPatient: Bool { options.isPatient }

    /// The picture, if memory has it, even if nothing else retains it.
    func imageFromMemory(callbackQueue: CallbackQueue) -> Image? {
        let request = request(for: box, callbackQueue: callbackQueue)
        return request.url.flatMap {
            manager.imageFromMemory(for: $0, options: request.options, context: request.context)
        }
    }

    /// The picture shown while it is being restored, and when that fails.
    var standIn: Image? {
        if reload != nil { return options.contains(.delayPlaceholder) ? nil : placeholder }
        return errorImage ?? placeholder
    }

    var manager: WebImageManager { context.manager ?? .shared }

    private func request(for box: DecodeBox?, callbackQueue: CallbackQueue) -> ImageRequest {
        ImageRequest(
            url, options: options.forReload,
            context: context.forManager(key: key, callbackQueue: callbackQueue, box: box))
    }

    /// The priority of such a load.
    func priority(isSeen: Bool) -> LoadPriority { LoadPriority(inView: options, isSeen: isSeen) }

    /// Whether a larger decode is possible: a picture at full size is not decoded again.
    func canBeSharper(in wanted: DecodeBox) -> Bool {
        guard let box, let image, image.metadata.isThumbnail || box.isReached(by: image.pixelSize) else { return false }
        // A transformer may have changed the size.
        let isSharp = !image.metadata.isTransformed && wanted.isSharp(image.pixelSize)
        return !isSharp && !box.suffices(for: wanted)
    }
}

extension WebImageManager {
    /// Whether the picture of a request is a local file, or is on the disk once it was loaded.
    fileprivate func hasFile(of request: ImageRequest) -> Bool {
        plan(of: request).map { $0.url.isLocal || $0.leavesFiles } ?? false
    }
}

extension WebImageOptions {
    fileprivate var forReload: WebImageOptions {
        subtracting([
            .refreshCached, .fromLoaderOnly, .progressiveLoad, .waitStoreCache, .queryMemoryData, .queryDiskDataSync,
        ]).subtracting(.ofViews).union(.retryFailed)
    }
}
