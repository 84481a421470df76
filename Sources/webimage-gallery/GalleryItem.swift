import FoundationEssentials

/// One picture of the gallery.
struct GalleryItem {
    let url: URL
    /// Gives neighbours different placeholders.
    let number: Int

    /// The caption.
    var name: String {
        let last = url.lastPathComponent
        return last.isEmpty || last == "/" ? url.host() ?? url.absoluteString : last
    }
}
