import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// The pages of the window: a grid each, with a browser of its pictures, and a message in place of a grid without any.
final class GalleryPages {
    let widget: Widget = gtk_stack_new()
    private let grids: [PictureGrid]
    private let browsings: [PictureBrowsing]
    /// The message in place of pictures.
    let message = MessagePage()
    /// The page that is shown.
    private(set) var current = GalleryPage.pictures
    /// Shown as soon as it is filled.
    private var first: GalleryPage?
    /// The pages that were not shown yet are filled when they are.
    private var unfilled: [GalleryPage: () async -> [GalleryItem]] = [:]
    private var fillings: [GalleryPage: Task<Void, Never>] = [:]
    /// The pages that have all that they will have.
    private var filled: Set<GalleryPage> = []
    /// Called when a page is shown.
    var turned: (GalleryPage) -> Void = { _ in }
    /// Why there are no pictures at all.
    var problem: String?
    /// Whether the first page has what a search has found.
    var isSearching = false

    /// - Parameters:
    ///   - first: Shown as soon as it is filled.
    ///   - makeGrid: Called once for each page.
    init(first: GalleryPage, context: WebImageContext, makeGrid: () -> PictureGrid) {
        self.first = first
        grids = GalleryPage.allCases.map { _ in makeGrid() }
        browsings = grids.map { PictureBrowsing($0, context: context) }
        for part in grids.map(\.widget) + [message.widget] { gtk_stack_add_child(OpaquePointer(widget), part) }
    }

    subscript(_ page: GalleryPage) -> PictureGrid { grids[page.rawValue] }

    var all: [PictureGrid] { grids }

    /// Opens the pictures of a page.
    func browsing(of page: GalleryPage) -> PictureBrowsing { browsings[page.rawValue] }

    /// Sets what a page has, which is made when it is shown. What it had before, or was about to have, goes.
    func fill(_ page: GalleryPage, with items: @escaping () async -> [GalleryItem]) {
        fillings[page]?.cancel()
        browsing(of: page).close()
        self[page].show([])
        filled.remove(page)
        unfilled[page] = items
        guard page == first || page == current else { return }
        if page == first { first = nil }
        show(page)
    }

    /// Shows other pictures on the first page.
    func fillFirst(with items: [GalleryItem], from index: Int) {
        if !self[.pictures].has(items) { browsing(of: .pictures).close() }
        self[.pictures].show(items, from: index)
        filled.insert(.pictures)
        showPageOrMessage()
    }

    /// Shows other pictures of the same sources on the first page: what stays keeps its place.
    func updateFirst(with items: [GalleryItem], changed: Set<URL>) {
        self[.pictures].update(items, changed: changed)
        browsing(of: .pictures).follow(changed: changed)
        filled.insert(.pictures)
        showPageOrMessage()
    }

    /// Sets what a page will have when it is shown next.
    func prepare(_ page: GalleryPage, with items: @escaping () async -> [GalleryItem]) { unfilled[page] = items }

    /// Shows a page.
    func show(_ page: GalleryPage) {
        current = page
        showPageOrMessage()
        turned(page)
        guard let items = unfilled.removeValue(forKey: page) else { return }
        fillings[page] = Task { [weak self] in
            let items = await items()
            guard let self, !Task.isCancelled else { return }
            browsing(of: page).close()
            self[page].show(items)
            filled.insert(page)
            showPageOrMessage()
        }
    }

    private func showPageOrMessage() {
        let isEmpty = filled.contains(current) && self[current].items.isEmpty
        gtk_stack_set_visible_child(OpaquePointer(widget), isEmpty ? message.widget : self[current].widget)
        guard isEmpty else { return }
        if let problem {
            message.show(problem, "Drop files or folders here.")
        } else if current == .pictures, isSearching {
            message.show("No name has these words", "Escape ends the search.")
        } else {
            message.show(current.emptyMessage, "Drop files or folders here.")
        }
    }

    /// Nothing is filled any more.
    func end() {
        for filling in fillings.values { filling.cancel() }
    }
}
