import CGtk4
import FoundationEssentials
import WebImage

/// A view that may have a second picture for its highlighted state: ``PictureView``, ``ImageView`` and ``ListRowView``.
///
/// Once loaded, the highlighted picture shows while ``isHighlighted`` is set, and while the widget or the list row
/// around it is selected.
@MainActor
public protocol HighlightableView: WidgetView {}

extension HighlightableView {
    /// Loads the highlighted picture. It has no placeholder; otherwise as `setImage`.
    @discardableResult
    public func setHighlightedImage(
        with address: (any ImageAddress)?, transformer: (any ImageTransformer)? = nil,
        transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil,
        completed: Completion?
    ) -> LoadOperation? {
        highlightedView.load(
            address, nil, transformer, transition, options, context, setImage: setImage, progress: progress,
            completed: completed)
    }

    /// The same without a completion.
    @_disfavoredOverload
    @discardableResult
    public func setHighlightedImage(
        with address: (any ImageAddress)?, transformer: (any ImageTransformer)? = nil,
        transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: SetImage? = nil, progress: ProgressHandler? = nil
    ) -> LoadOperation? {
        highlightedView.load(
            address, nil, transformer, transition, options, context, setImage: setImage, progress: progress)
    }

    /// The highlighted picture, shown or not; nil when there is none, or one that was not set through this library.
    public var highlightedImage: Image? {
        get { highlightedView.image }
        nonmutating set { highlightedView.image = newValue }
    }

    /// Whether the highlighted picture shows, where there is one; false by default. A selected widget shows it in any
    /// case.
    public var isHighlighted: Bool {
        get { Highlight.find(widget)?.isHighlighted ?? false }
        nonmutating set { highlight?.isHighlighted = newValue }
    }

    /// The URL of the latest load of the highlighted picture.
    public var currentHighlightedImageURL: URL? { highlightedView.currentImageURL }

    /// Cancels the load of the highlighted picture, if it runs; its completion is called before this call returns.
    public func cancelCurrentHighlightedImageLoad() { highlightedView.cancelCurrentImageLoad() }

    /// The place of the highlighted picture, as a view of its own.
    public var highlightedView: some WidgetView { HighlightedView(widget: widget, slot: highlightedSlot) }

    private var highlight: Highlight? { (slot.target as? HighlightTarget).map { Highlight.of($0.base) } }

    private var highlightedSlot: PictureSlot {
        let key = Highlight.Key.highlightedImage
        guard let usual = slot.target as? HighlightTarget else { return PictureSlot(operationKey: key) }
        // Created with the first highlighted picture: most widgets never have one.
        _ = Highlight.of(usual.base)
        return PictureSlot(
            operationKey: key, target: HighlightTarget(key: key, base: usual.base), usualKey: slot.key)
    }
}

/// The place of a view's highlighted picture.
private struct HighlightedView: WidgetView {
    let widget: UnsafeMutablePointer<GtkWidget>
    let slot: PictureSlot
}
