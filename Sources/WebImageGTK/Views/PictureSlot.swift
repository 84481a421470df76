import WebImage

/// One place of a widget that shows a picture: the picture itself, the one of a button's state, an icon.
///
/// A widget may have several. Each has loads of its own, which do not disturb those of the others.
public struct PictureSlot {
    /// Names the loads of the place, where their context's ``WebImage/WebImageContext/setImageOperationKey`` names none.
    public let operationKey: String
    /// Who shows the pictures; nil where only the app's own closure can.
    let target: (any PaintableTarget)?

    /// A place that the app fills: pictures for it need a `setImage` closure, and are shown nowhere without one.
    public init(operationKey: String = "image") {
        self.operationKey = operationKey
        target = nil
    }

    /// A place that shows paintables.
    init(operationKey: String = "image", target: any PaintableTarget) {
        self.operationKey = operationKey
        self.target = target
    }

    var key: ViewLoadKey { ViewLoadKey(operationKey) }
}
