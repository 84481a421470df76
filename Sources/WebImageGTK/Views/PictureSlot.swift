import WebImage

/// The widget that gets the file name of a place's picture as its accessible label.
enum PictureNaming {
    /// Nothing: the picture is one of several, or does not describe the widget as a whole.
    case nothing
    /// The widget, which is little more than its picture.
    case widget
    /// The button, unless it has text.
    case button
    /// The icon of an entry, which is a widget of its own.
    case icon(EntryIconView.Position)
}

/// One place of a widget that shows a picture: the main picture, the picture of a button's state, an icon.
///
/// A widget may have several. The loads of different places are independent.
public struct PictureSlot {
    /// The key of the place's loads, unless their context sets ``WebImage/WebImageContext/operationKey``.
    public let operationKey: String
    /// The target that shows the pictures; nil where only the app's closure can.
    let target: (any PaintableTarget)?
    /// The widget that gets the file name of the picture as its accessible label.
    let naming: PictureNaming

    /// The place that this one inherits ``WidgetView/imageSizing`` from, until it is set on this one.
    let usualKey: ViewLoadKey?

    /// A place that the app fills: its loads need a `setImage` closure, and show nothing without one.
    public init(operationKey: String = "image") {
        self.operationKey = operationKey
        target = nil
        naming = .nothing
        usualKey = nil
    }

    /// A place that shows paintables.
    init(
        operationKey: String = "image", target: any PaintableTarget, naming: PictureNaming = .nothing,
        usualKey: ViewLoadKey? = nil
    ) {
        self.operationKey = operationKey
        self.target = target
        self.naming = naming
        self.usualKey = usualKey
    }

    var key: ViewLoadKey { ViewLoadKey(operationKey) }
}
