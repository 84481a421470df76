/// How a picture and the label beside it share a button's width: the picture first, both in the middle of what is left.
nonisolated struct ButtonRow: Equatable {
    /// A share of the width.
    struct Span: Equatable {
        var origin: Int32
        var length: Int32
    }

    /// Between the two, in the theme's own measure for buttons with an icon and a label.
    static let spacing: Int32 = 6

    private(set) var picture: Span
    private(set) var label: Span

    /// - Parameters:
    ///   - picture: The least and the preferred width of the picture.
    ///   - label: The least and the preferred width of the label.
    ///   - labelExpands: Whether the label takes what is left.
    ///   - isRightToLeft: Whether people read towards the left.
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
