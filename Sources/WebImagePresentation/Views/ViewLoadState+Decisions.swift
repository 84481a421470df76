import WebImageCore

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
