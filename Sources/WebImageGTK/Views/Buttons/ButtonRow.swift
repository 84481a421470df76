/// How a picture and a label share a button's width: the picture first, both centred in their room.
nonisolated struct ButtonRow: Equatable {
    /// An extent along the width.
    struct Span: Equatable {
        var origin: Int32
        var length: Int32
    }

    /// The gap between the two, which is the theme's gap for buttons with an icon and a label.
    static let spacing: Int32 = 6

    private(set) var picture: Span
    private(set) var label: Span

    /// - Parameters:
    ///   - picture: The minimum and the natural width of the picture.
    ///   - label: The minimum and the natural width of the label.
    ///   - labelExpands: Whether the label gets the remaining width.
    ///   - isRightToLeft: Whether the text direction is right to left.
    init(
        picture: (minimum: Int32, natural: Int32), label: (minimum: Int32, natural: Int32), labelExpands: Bool = false,
        isRightToLeft: Bool = false, in width: Int32
    ) {
        let pictureLength = max(picture.minimum, min(picture.natural, width - Self.spacing - label.minimum))
        let room = max(label.minimum, width - Self.spacing - pictureLength)
        let labelLength = labelExpands ? room : min(room, label.natural)
        let start = max(0, (room - labelLength) / 2)
        self.picture = Span(origin: start, length: pictureLength)
        self.label = Span(origin: start + pictureLength + Self.spacing, length: labelLength)
        guard isRightToLeft else { return }
        self.picture.origin = width - self.picture.origin - pictureLength
        self.label.origin = width - self.label.origin - labelLength
    }
}
