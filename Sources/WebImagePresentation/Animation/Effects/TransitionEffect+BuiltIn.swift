import WebImageCore

extension TransitionEffect {
    /// An effect of the library. `moving` does not have to handle empty views, missing contents, or the ends.
    ///
    /// - Parameter moving: The layers for any progress except 0 and 1, for a view that is not empty.
    init(builtIn name: String, moving: @escaping Layers) {
        self.init(name) { progress, scene in
            guard scene.isVisible else { return [] }
            let layers =
                switch progress {
                case 0: [TransitionLayer(.old, source: scene.bounds)]
                case 1: [TransitionLayer(.new, source: scene.bounds)]
                // A timing function that gives NaN must not hide the picture.
                case _ where progress.isNaN: [TransitionLayer(.new, source: scene.bounds)]
                default: moving(progress, scene)
                }
            guard scene.oldFrame == nil || scene.newFrame == nil else { return layers }
            return layers.filter { scene.has($0.content) }
        }
    }

    /// A built-in effect played backwards; it also leads from the former content to the new one.
    func reversed(as name: String) -> TransitionEffect {
        TransitionEffect(builtIn: name) { progress, scene in
            layers(at: 1 - progress, in: scene.exchanged).map(\.exchanged)
        }
    }
}

extension TransitionScene {
    fileprivate var isVisible: Bool { !size.isEmpty && size.width.isFinite && size.height.isFinite }

    fileprivate func has(_ content: TransitionLayer.Content) -> Bool {
        switch content {
        case .old: oldFrame != nil
        case .new, .blurredNew: newFrame != nil
        case .crossDissolve, .shade: true
        case .page(let page): has(page.content) || page.background.map(has) ?? false
        }
    }

    fileprivate var exchanged: TransitionScene {
        TransitionScene(
            size: size, scale: scale, oldFrame: newFrame, newFrame: oldFrame, isOldOpaque: isNewOpaque,
            isNewOpaque: isOldOpaque)
    }
}

extension TransitionLayer {
    fileprivate var exchanged: TransitionLayer {
        var layer = self
        switch content {
        case .old: layer.content = .new
        case .new: layer.content = .old
        case .crossDissolve(let progress): layer.content = .crossDissolve(1 - progress)
        case .page(let page): layer.content = .page(page.exchanged)
        // The former content has no blurred form; no reversed effect uses it.
        case .blurredNew, .shade: break
        }
        return layer
    }
}
