/// All pictures of a list, and those of them that are shown, in their order.
nonisolated struct PictureShelf {
    private(set) var shown: [GalleryItem] = []
    /// Their numbers are their indices.
    var all: [GalleryItem] = [] {
        didSet {
            names = []
            update()
        }
    }
    var search = PictureSearch() { didSet { if search != oldValue { filter() } } }
    var order = PictureOrder() { didSet { if order != oldValue { update() } } }
    private var sorted: [GalleryItem] = []
    /// The names of all, from the first search on: folding them takes longer than the search.
    private var names: [FoldedText] = []

    private mutating func update() {
        sorted = order.sorted(all) { ($0.name, $0.date, $0.byteCount) }
        filter()
    }

    private mutating func filter() {
        guard !search.isEmpty else {
            shown = sorted
            return
        }
        if names.isEmpty { names = all.map { FoldedText($0.name) } }
        shown = sorted.filter { search.matches(names[$0.number]) }
    }
}
