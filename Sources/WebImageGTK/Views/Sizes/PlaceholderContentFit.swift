import WebImage

/// The way placeholders and error pictures fit into a view.
public enum PlaceholderContentFit: Sendable, Equatable {
    /// The way of the view's pictures, except that an icon (`Image(iconNamed:size:for:)`) is never larger than it was
    /// made.
    case automatic
    /// This way, however pictures fit.
    case always(ContentFit)
}
