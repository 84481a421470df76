import FoundationEssentials
import WebImageCore

extension ViewLoadState {
    /// Identifies one load of a view.
    package typealias Generation = UInt64

    /// A load of a view.
    package struct Load: Sendable {
        /// The picture's URL.
        package let url: URL?
        /// A new load cancels the one before it under the same key.
        package let key: ViewLoadKey
        /// The picture of the widget that it is for.
        package let place: ViewLoadKey
        /// The options; only those about views matter here.
        package let options: WebImageOptions
        /// Whether there is an error picture.
        package let hasErrorImage: Bool
        /// Whether a closure of the app's shows the pictures.
        package let isShownByApp: Bool
        /// Whether there is something to load.
        package let hasSource: Bool

        /// By default, a load for the place with the name of its key, from its URL.
        package init(
            _ url: URL?, key: ViewLoadKey = .image, place: ViewLoadKey? = nil, options: WebImageOptions = [],
            hasErrorImage: Bool = false, isShownByApp: Bool = false, hasSource: Bool? = nil
        ) {
            self.url = url
            self.key = key
            self.place = place ?? key
            self.options = options
            self.hasErrorImage = hasErrorImage
            self.isShownByApp = isShownByApp
            self.hasSource = hasSource ?? (url != nil)
        }
    }

    /// An action of the view; several are performed in order. The placeholder and the status before a ``load(_:)`` may
    /// be deferred until memory has answered. Skip actions that show something when the generation is no longer
    /// current, because a completion in between may have started another load.
    package enum Action: Sendable, Hashable {
        /// Cancel the load and call its completion with the cancellation.
        case cancel(Generation)
        /// Let the load continue without the view, and call its completion with a cancellation.
        case leave(Generation)
        /// Show the load's placeholder; clears the view without one.
        case showPlaceholder(Generation)
        /// Show the load's error picture.
        case showErrorImage(Generation)
        /// Report the current ``ViewLoadState/status``.
        case updateStatus
        /// Call the manager.
        case load(Generation)
        /// Show the loaded picture at once.
        case showImage(Generation)
        /// Show the loaded picture by the view's transition, and call ``ViewLoadState/endTransition(_:)`` at its end.
        case transition(Generation)
        /// Call the load's completion because it has no source.
        case refuse(Generation)
        /// Call the load's completion with its result.
        case complete(Generation)
    }

    /// The end of a load.
    package enum Ending: Sendable, Hashable {
        /// With a picture from this tier; `.noCache` for the loader.
        case image(ImageCacheType)
        /// With an error.
        case failure
        /// By a cancellation.
        case cancelled

        /// The end of a load with `result`.
        package init(_ result: Result<LoadResult, WebImageError>) {
            switch result {
            case .success(let success): self = .image(success.cacheType)
            case .failure(let error): self = error.isCancelled ? .cancelled : .failure
            }
        }
    }
}

extension ViewLoadState.Load {
    /// The action that shows the end of the load, nil for none: a picture is shown unless the app does that; a failure
    /// shows the error picture, or else a placeholder that was deferred.
    ///
    /// - Parameter hasTransition: Whether the view has a transition.
    func showing(
        _ ending: ViewLoadState.Ending, of generation: ViewLoadState.Generation, hasTransition: Bool
    ) -> ViewLoadState.Action? {
        switch ending {
        case .image where !showsPictures: nil
        case .image(let cacheType):
            hasTransition && animates(from: cacheType) ? .transition(generation) : .showImage(generation)
        case .failure where hasErrorImage: .showErrorImage(generation)
        case .failure, .cancelled: keepsPlaceholderBack ? .showPlaceholder(generation) : nil
        }
    }

    var showsPictures: Bool { !options.contains(.avoidAutoSetImage) }

    var keepsPlaceholderBack: Bool { options.contains(.delayPlaceholder) }

    /// Whether a picture from `cacheType` gets a transition: not one that is set before the call returns, from memory
    /// or from a synchronous disk read, where it would only flicker.
    private func animates(from cacheType: ImageCacheType) -> Bool {
        if options.contains(.forceTransition) { return true }
        return switch cacheType {
        case .noCache: true
        case .disk: options.isDisjoint(with: [.queryMemoryDataSync, .queryDiskDataSync])
        default: false
        }
    }
}
