import WebImage

/// What assistive technologies call as the file of a place's picture is.
enum PictureNaming {
    /// Nothing: the picture is one of several, or says nothing of the widget as a whole.
    case nothing
    /// The widget, which is little more than its picture.
    case widget
    /// A button, unless there is text on it.
    case button
    /// The icon of an entry, which is a widget of its own.
    case icon(EntryIconView.Position)
}

/// One place of a widget that shows a picture: the picture itself, the one of a button's state, an icon.
///
/// A widget may have several. Each has loads of its own, which do not disturb those of the others.
public struct PictureSlot {
    /// Names the loads of the place, where their context's ``WebImage/WebImageContext/setImageOperationKey`` names none.
    public let operationKey: String
    /// Who shows the pictures; nil where only the app's own closure can.
    let target: (any PaintableTarget)?
    /// What is called as the file of the picture is.
    let naming: PictureNaming

    /// The usual picture of those that this one belongs to: ``WidgetView/imageSizing`` is that one's until something is said
    /// of this one.
    let usualKey: ViewLoadKey?

    /// A place that the app fills: pictures for it need a `setImage` closure, and are shown nowhere without one.
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
