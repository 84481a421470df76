import WebImageCore

extension TransitionEffect {
    /// The new content fades in over the former one.
    public static let crossDissolve = TransitionEffect(builtIn: "crossDissolve") { progress, scene in
        [TransitionLayer(.crossDissolve(min(1, max(0, progress))), source: scene.bounds)]
    }

    /// The new content appears blurred and becomes sharp. Translucent pictures cross-dissolve without a blur.
    public static let blurToSharp = TransitionEffect(builtIn: "blurToSharp") { progress, scene in
        guard let newFrame = scene.newFrame, scene.isNewOpaque else {
            return crossDissolve.layers(at: progress, in: scene)
        }
        let progress = min(1, max(0, progress))
        let sharpness = (progress - blurredProgress) / (1 - blurredProgress)
        guard sharpness < 0 else {
            return [
                TransitionLayer(.blurredNew, source: scene.bounds),
                TransitionLayer(.new, source: scene.bounds, opacity: sharpness),
            ]
        }
        let opacity = progress / blurredProgress
        // The old content has to fade out by itself where the new picture does not cover it.
        let covered = PixelGrid(scale: scene.scale).outset(newFrame).intersection(scene.bounds)
        let uncovered = covered.map(scene.bounds.subtracting) ?? [scene.bounds]
        return [covered].compactMap { $0.map { TransitionLayer(.old, source: $0) } }
            + uncovered.map { TransitionLayer(.old, source: $0, opacity: 1 - opacity) }
            + [TransitionLayer(.blurredNew, source: scene.bounds, opacity: opacity)]
    }

    /// The progress at which only the blurred picture shows.
    private static let blurredProgress = 0.4

    /// The new content grows from the centre of the view and covers the former one.
    public static let zoom = TransitionEffect(builtIn: "zoom") { progress, scene in
        guard progress > 0 else { return [TransitionLayer(.old, source: scene.bounds)] }
        // Beyond these, nothing changes any more, and places are no whole numbers.
        let factor = min(1e6, max(1e-6, progress))
        return [TransitionLayer(.zoom(PageZoom(bounds: scene.bounds, factor: factor)), isNew: true, in: scene)]
    }
}
