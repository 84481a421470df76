/// The colour of an indicator. Its backdrop has the opposite lightness, so that it is visible over any picture.
public enum IndicatorTone: Sendable, Hashable {
    /// The colour of the view's text, which follows the theme.
    case automatic
    /// Between black and white.
    case gray
    /// For dark pictures and backgrounds.
    case white

    /// The name of the tone's class in ``IndicatorStyleSheet``.
    var styleClass: String {
        switch self {
        case .automatic: "automatic"
        case .gray: "gray"
        case .white: "white"
        }
    }
}
