import FoundationEssentials
import WebImage

/// One picture of the gallery.
nonisolated struct GalleryItem: Sendable {
    let url: URL
    /// Gives neighbours different placeholders.
    let number: Int
    /// What stands in for the picture, in place of a tone.
    var placeholder: Image?
    /// What that is, for the caption.
    var placeholderName: String?
    /// How its animation plays, with a counter and a button; nil for the usual way, without them.
    var playback: PlaybackWay?

    /// The caption.
    var name: String {
        let last = url.lastPathComponent
        let name = last.isEmpty || last == "/" ? url.host() ?? url.absoluteString : last
        return (placeholderName ?? playback?.name).map { "\($0) · \(name)" } ?? name
    }
}
