import FoundationEssentials
import WebImage

/// One picture of the gallery.
nonisolated struct GalleryItem: Sendable {
    let url: URL
    /// Gives neighbours different placeholders.
    var number: Int
    /// The name of the file, where that is not the last part of the address.
    var title: String?
    /// When it was changed, where that is known.
    var date: Date?
    /// The bytes of the file, where they are known.
    var byteCount: Int?
    /// Another one after a change of the file.
    var stamp: FileStamp?
    /// The placeholder of the picture, in place of a tone.
    var placeholder: Image?
    /// The name of the placeholder, for the caption.
    var placeholderName: String?
    /// How its animation plays, with a counter and a button; nil for the usual way, without them.
    var playback: PlaybackWay?

    /// The caption.
    var name: String {
        let name = plainName.withoutControls
        return (placeholderName ?? playback?.name).map { "\($0) · \(name)" } ?? name
    }

    /// The name of the file or, without one, of the host.
    var plainName: String {
        if let title { return title }
        let last = url.lastPathComponent
        return last.isEmpty || last == "/" ? url.host() ?? url.absoluteString : last
    }
}

extension GalleryItem {
    nonisolated init(_ found: FoundPicture, number: Int) {
        self.init(
            url: found.url, number: number, title: found.name, date: found.date, byteCount: found.byteCount,
            stamp: found.stamp)
    }
}
