import FoundationEssentials

extension ViewLoadState {
    /// Tells one load of a view from all its others.
    package typealias Generation = UInt64

    /// What a view is asked to load.
    package struct Load: Sendable {
        /// Where the picture is.
        package let url: URL?
        /// The load before it under the same key is cancelled.
        package let key: ViewLoadKey
        /// Which of the view's pictures it is for.
        package let place: ViewLoadKey
        /// Of these, only what concerns views.
        package let options: WebImageOptions
        /// Whether there is something to show for a failure.
        package let hasErrorImage: Bool
        /// Whether a closure of the app's own shows what there is to show.
        package let isShownByApp: Bool

        /// A load for the place named like its key, unless told otherwise.
        package init(
            _ url: URL?, key: ViewLoadKey = .image, place: ViewLoadKey? = nil, options: WebImageOptions = [],
            hasErrorImage: Bool = false, isShownByApp: Bool = false
        ) {
            self.url = url
            self.key = key
            self.place = place ?? key
            self.options = options
            self.hasErrorImage = hasErrorImage
            self.isShownByApp = isShownByApp
        }
    }

    /// What a view must do, in the order given; but the placeholder and the status that come before a ``load(_:)`` may wait
    /// until memory was asked. Showing is to be skipped when the generation is no longer current, because a completion
    /// called in between may have started another load.
    package enum Action: Sendable, Hashable {
        /// Stop the load and tell its completion that it was cancelled.
        case cancel(Generation)
        /// Let the load go on without the view, and tell its completion that it was cancelled.
        case leave(Generation)
        /// Show the load's placeholder; a load without one shows nothing.
        case showPlaceholder(Generation)
        /// Show the load's error picture.
        case showErrorImage(Generation)
        /// Say what ``ViewLoadState/status`` is now.
        case updateStatus
        /// Ask the manager.
        case load(Generation)
        /// Show the picture that has arrived, at once.
        case showImage(Generation)
        /// Let the picture that has arrived take its place by the view's transition, and tell
        /// ``ViewLoadState/endTransition(_:)`` when that is over.
        case transition(Generation)
        /// Tell the load's completion that it has no URL.
        case refuse(Generation)
        /// Tell the load's completion what has arrived.
        case complete(Generation)
    }

    /// How a load ended.
    package enum Ending: Sendable, Hashable {
        /// With a picture from the tier named; `.none` is the loader.
        case image(ImageCacheType)
        /// Without one.
        case failure
        /// Because somebody did not want it any more.
        case cancelled

        /// How a load that ended with `result` ended.
        package init(_ result: Result<LoadResult, WebImageError>) {
            switch result {
            case .success(let success): self = .image(success.cacheType)
            case .failure(let error): self = error.isCancelled ? .cancelled : .failure
            }
        }
    }
}
