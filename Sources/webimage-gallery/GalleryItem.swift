import FoundationEssentials

/// One picture of the gallery.
struct GalleryItem {
    let url: URL
    /// Tells the placeholders of neighbours apart.
    let number: Int

    /// What stands under the picture.
    var name: String {
        let last = url.lastPathComponent
        return last.isEmpty || last == "/" ? url.host() ?? url.absoluteString : last
    }
}
