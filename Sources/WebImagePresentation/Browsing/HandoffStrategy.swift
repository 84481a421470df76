/// The handling of originals that are not loaded yet when their thumbnail is opened.
public enum HandoffStrategy: Sendable, Hashable {
    /// Shows an indicator and no thumbnail, so that nothing can jump.
    case indicator
    /// Shows the thumbnail in the place of the original, and then the original by the transition that fits their
    /// proportions.
    case thumbnail
    /// As ``thumbnail``, and loads the originals of the visible thumbnails of the browser's grid while it scrolls. The
    /// default.
    case prefetchedOriginal

    package var showsThumbnail: Bool { self != .indicator }
}
