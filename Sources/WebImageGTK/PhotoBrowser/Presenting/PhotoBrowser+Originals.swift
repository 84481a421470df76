import CGtk4
import WebImage

/// Originals that are loaded before their thumbnails are clicked.
extension PhotoBrowser {
    /// Loads the originals of the thumbnails that a list of the app's own shows, from now on and whenever it is scrolled
    /// or its rows change, as ``prefetchOriginals(of:in:)`` does for indices.
    ///
    /// ```swift
    /// browser.prefetchOriginals(in: list)
    /// ```
    /// The item at a position of the list must be the photo with that index. Cells of a `GtkListView` or `GtkGridView` must
    /// get their thumbnails by ``ListRowView/init(listItem:)``: GTK says nothing else about their positions. It may be called
    /// before the list is in a window. The browser does not retain the list, and follows one at a time; nil ends it, and all
    /// such loads.
    ///
    /// - Parameter list: The list, a `GtkListBox`, a `GtkFlowBox`, or the scroller around one.
    public func prefetchOriginals(in list: UnsafeMutablePointer<GtkWidget>?) {
        guard let list else { return (listWatch, listOriginals) = (nil, nil) }
        if let listWatch, listWatch.watches(list) { return listWatch.look() }
        listWatch = VisibleItemsWatch(list) { [weak self] items, list in
            if items.isUnknown { Self.warningOfUnknownItems }
            if let range = items.range { self?.prefetchOriginals(of: range, in: list) }
        }
    }

    /// Given once.
    private static let warningOfUnknownItems: Void = WebImageLog.warn(
        "no originals are loaded for a list whose cells do not say which item they show: load their thumbnails by "
            + "ListRowView(listItem:) in the factory's bind, or name the indices by prefetchOriginals(of:in:)")

    /// Loads the originals of the thumbnails that a list of the app's own shows, at low priority and at the size of a page:
    /// a click then opens the original, with no thumbnail before it. Once the list is scrolled, the files of those of two
    /// screens ahead and one behind come into the disk cache. The browser's own grid does so by itself.
    ///
    /// ```swift
    /// browser.prefetchOriginals(of: visible, in: list)
    /// ```
    /// Loads of photos that are not near the range any more are cancelled; an empty range cancels all. Memory has an original
    /// only while its thumbnail is in the range; while the browser covers the list, no more are loaded, and memory lets go of
    /// them. Does nothing where ``handoffStrategy`` is another than ``HandoffStrategy/prefetchedOriginal``, and before the list
    /// is in a window.
    ///
    /// - Parameters:
    ///   - indices: Those of the photos whose thumbnails are on the screen.
    ///   - list: A widget of the window that the browser will be opened in.
    public func prefetchOriginals(of indices: Range<Int>, in list: UnsafeMutablePointer<GtkWidget>) {
        if indices.isEmpty { return listOriginals = nil }
        guard handoffStrategy == .prefetchedOriginal, let content = ContentSeat.content(around: list) else { return }
        let pixels = content.pointSize.pixels(at: Double(gtk_widget_get_scale_factor(content)))
        guard !pixels.isEmpty else { return }
        if listOriginals?.pixels != pixels {
            let prefetcher = OriginalPrefetcher { [weak self] in self?.originalPhoto(at: $0).map { ($0, pixels) } }
            prefetcher.isResting = screen.isTaken
            listOriginals = (pixels, prefetcher)
        }
        listOriginals?.prefetcher.show(indices.clamped(to: 0..<numberOfPhotos), itemCount: numberOfPhotos)
    }
}
