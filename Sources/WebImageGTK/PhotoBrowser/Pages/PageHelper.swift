import WebImage

/// The thumbnail that stands for an original on its page.
final class PageHelper {
    let thumbnail: Image
    let still: StillContent
    /// The size of the original in points; nil while it is unknown.
    private(set) var original: PointSize?
    private(set) var layout: HandoffLayout
    private var view: PointSize
    var opacity = 1.0
    /// The factor of its height.
    var scaleY = 1.0

    init(_ thumbnail: Image, original: PointSize?, in view: PointSize, _ rules: ZoomLimits.Rules) {
        self.thumbnail = thumbnail
        self.original = original
        self.view = view
        still = StillContent(thumbnail)
        layout = HandoffLayout(thumbnail: thumbnail.pixelSize.points(), original: original, view: view, rules: rules)
    }

    /// The view has another size, or the size of the original has become known.
    func layOut(original: PointSize?, in view: PointSize, _ rules: ZoomLimits.Rules) {
        if self.original == nil, let original, view == self.view {
            layout = layout.known(original: original, thumbnail: thumbnail.pixelSize.points(), view: view, rules: rules)
        } else if original != self.original || view != self.view {
            layout = HandoffLayout(
                thumbnail: thumbnail.pixelSize.points(), original: original, view: view, rules: rules)
        }
        (self.original, self.view) = (original, view)
    }

    /// The place at which it is drawn: squeezed about its middle.
    var frame: PointRect {
        let frame = layout.frame
        let height = frame.size.height * scaleY
        return PointRect(
            x: frame.x, y: frame.y + (frame.size.height - height) / 2, width: frame.size.width, height: height)
    }

    func reset() {
        opacity = 1
        scaleY = 1
    }
}
