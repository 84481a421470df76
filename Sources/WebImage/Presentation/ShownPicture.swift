import FoundationEssentials

/// A picture that a load has brought into a view, and what it takes to bring it again: neither the view nor whoever was
/// told is held.
@MainActor
struct ShownPicture {
    /// What it was decoded for; nil when that was not the view's choice.
    var box: DecodeBox?
    /// Whoever has it besides the view, most likely the memory cache, keeps it.
    weak var image: Image?
    /// Whether the view shows nothing in its place, since nobody sees it.
    var isDropped = false
    /// The load that brings it back, or brings it sharper.
    var reload: (number: UInt64, operation: LoadOperation?)?

    private let url: URL?
    private let placeholder: Image?
    private let options: WebImageOptions
    private let context: WebImageContext
    private let key: ViewLoadKey

    init<View>(_ image: Image, by request: ViewLoadRequest<View>) {
        self.image = image
        box = request.box
        url = request.url
        placeholder = request.placeholder
        options = request.options
        context = request.context
        key = request.key
    }

    /// Loads it again, quietly and from wherever it is nearest.
    func load(
        for box: DecodeBox?, callbackQueue: CallbackQueue,
        completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void
    ) -> LoadOperation {
        manager.load(request(for: box, callbackQueue: callbackQueue), completed: completed)
    }

    /// Whether it may be let go: memory has it, and when that lets it go, too, it need not be transferred again.
    ///
    /// - Parameter evenFromMemory: Whether memory need not have it.
    func canBeLetGo(evenFromMemory: Bool, callbackQueue: CallbackQueue) -> Bool {
        let request = request(for: box, callbackQueue: callbackQueue)
        return evenFromMemory ? manager.hasFile(of: request) : manager.keeps(request)
    }

    /// The picture, if memory has it; nobody else needs to.
    func imageFromMemory(callbackQueue: CallbackQueue) -> Image? {
        let request = request(for: box, callbackQueue: callbackQueue)
        return request.url.flatMap {
            manager.imageFromMemory(for: $0, options: request.options, context: request.context)
        }
    }

    /// What is shown in its place while it comes back, and when it does not.
    var standIn: Image? {
        if reload != nil { return options.contains(.delayPlaceholder) ? nil : placeholder }
        return context.errorImage ?? placeholder
    }

    private var manager: WebImageManager { context.imageManager ?? .shared }

    private func request(for box: DecodeBox?, callbackQueue: CallbackQueue) -> ImageRequest {
        ImageRequest(
            url, options: options.forReload,
            context: context.forManager(key: key, callbackQueue: callbackQueue, box: box))
    }

    /// How urgent such a load is.
    func priority(isSeen: Bool) -> LoadPriority { LoadPriority(inView: options, isSeen: isSeen) }

    /// Whether there is more to be had than what is shown: a picture that is there as a whole is not decoded anew.
    func canBeSharper(in wanted: DecodeBox) -> Bool {
        guard let box, let image, image.metadata.isThumbnail || box.isReached(by: image.pixelSize) else { return false }
        // A transformer may have made any size of it.
        let isSharp = !image.metadata.isTransformed && wanted.isSharp(image.pixelSize)
        return !isSharp && !box.suffices(for: wanted)
    }
}

extension WebImageManager {
    /// Whether the picture of a load can be had on this machine, if it has ever been there.
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
