import CGtk4
import FoundationEssentials
import WebImage

/// A view that may have another picture for being highlighted: ``PictureView``, ``ImageView`` and ``ListRowView``.
///
/// It is shown, once it is there, while ``isHighlighted`` is set, and while the widget or the list's row that it is in is
/// selected.
@MainActor
public protocol HighlightableView: WidgetView {}

extension HighlightableView {
    /// Loads the picture for being highlighted. Nothing is shown in its place until it is there; all else as in
    /// ``WidgetView/setImage(with:placeholder:options:context:progress:completed:)``.
    @discardableResult
    public func setHighlightedImage(
        with url: URL?, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: ProgressHandler? = nil, completed: Completion? = nil
    ) -> LoadOperation? {
        highlightedView.setImage(
            with: url, options: options, context: context, progress: progress,
            completed: completed)
    }

    /// Loads the picture for being highlighted, with a completion as trailing closure; all else as in the full form.
    @discardableResult
    public func setHighlightedImage(
        with url: URL?, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        completed: @escaping Completion
    ) -> LoadOperation? {
        setHighlightedImage(with: url, options: options, context: context, progress: nil, completed: completed)
    }

    /// The picture for being highlighted, shown or not; nil when there is none, or one that was not set here.
    public var highlightedImage: Image? {
        get { highlightedView.image }
        nonmutating set { highlightedView.image = newValue }
    }

    /// Whether the picture for being highlighted is shown, where there is one; false by default. While the widget is
    /// selected it is shown in any case.
    public var isHighlighted: Bool {
        get { Highlight.find(widget)?.isHighlighted ?? false }
        nonmutating set { highlight?.isHighlighted = newValue }
    }

    /// The URL of the latest ``setHighlightedImage(with:options:context:progress:completed:)``.
    public var currentHighlightedImageURL: URL? { highlightedView.currentImageURL }

    /// Cancels the load of the picture for being highlighted if it runs; its completion is called before this call
    /// returns.
    public func cancelCurrentHighlightedImageLoad() { highlightedView.cancelCurrentImageLoad() }

    /// The place of the picture for being highlighted, with all calls that a view has.
    public var highlightedView: some WidgetView { HighlightedView(widget: widget, slot: highlightedSlot) }

    private var highlight: Highlight? { (slot.target as? HighlightTarget).map { Highlight.of($0.base) } }

    private var highlightedSlot: PictureSlot {
        let key = Highlight.Key.highlightedImage
        guard let usual = slot.target as? HighlightTarget else { return PictureSlot(operationKey: key) }
        // Made with the first picture of this kind: most widgets never have one.
        _ = Highlight.of(usual.base)
        return PictureSlot(
            operationKey: key, target: HighlightTarget(key: key, base: usual.base), usualKey: slot.key)
    }
}

/// The place of a view's picture for being highlighted.
private struct HighlightedView: WidgetView {
    let widget: UnsafeMutablePointer<GtkWidget>
    let slot: PictureSlot
}
