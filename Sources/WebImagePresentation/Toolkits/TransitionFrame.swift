import WebImageCore

/// One frame of a transition, as a value: layers, from back to front, made of two contents.
public struct TransitionFrame: Sendable {
    /// The former content; nil for none.
    public let old: SurfacePicture?
    /// The new content; nil for none.
    public let new: SurfacePicture?
    /// The view, and where the contents lie in it.
    public let scene: TransitionScene
    /// The progress of the effect: 0 to 1 unless the timing function overshoots.
    public let progress: Double
    /// The layers to draw, from back to front, clipped to the view.
    public let layers: [TransitionLayer]
}

extension TransitionFrame {
    /// nil for a view without a size.
    init?(
        _ effect: TransitionEffect?, at progress: Double, from old: SurfacePicture?, to new: SurfacePicture?,
        in placement: SurfacePlacement?
    ) {
        guard let placement, !placement.size.isEmpty else { return nil }
        self.old = old
        self.new = new
        self.progress = progress
        scene = TransitionScene(
            size: placement.size, scale: max(1, placement.scaleFactor), oldFrame: old?.frame, newFrame: new?.frame,
            isOldOpaque: old?.bitmap.isOpaque ?? true, isNewOpaque: new?.bitmap.isOpaque ?? true)
        layers = effect?.layers(at: progress, in: scene) ?? [TransitionLayer(.new, source: scene.bounds)]
    }
}
