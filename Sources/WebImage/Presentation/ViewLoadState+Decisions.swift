extension ViewLoadState.Load {
    /// What there is to show at the end of the load, nil to leave what is there: a picture is shown unless the app wants
    /// to do it; a failure shows the error picture, or else the placeholder where that was kept back.
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

    /// Whether a picture from `cacheType` is worth a transition: one that had to be waited for. What is there when the
    /// call returns, from memory or from a disk that was read at once, would only blink.
    private func animates(from cacheType: ImageCacheType) -> Bool {
        if options.contains(.forceTransition) { return true }
        return switch cacheType {
        case .none: true
        case .disk: options.isDisjoint(with: [.queryMemoryDataSync, .queryDiskDataSync])
        default: false
        }
    }
}
