/// All pictures of a list, and those of them that are shown, in their order.
nonisolated struct PictureShelf {
    private(set) var shown: [GalleryItem] = []
    var all: [GalleryItem] = [] { didSet { update() } }
    var search = PictureSearch() { didSet { if search != oldValue { filter() } } }
    var order = PictureOrder() { didSet { if order != oldValue { update() } } }
    private var sorted: [GalleryItem] = []

    private mutating func update() {
        sorted = order.sorted(all) { ($0.name, $0.date, $0.byteCount) }
        filter()
    }

    private mutating func filter() { shown = search.isEmpty ? sorted : sorted.filter { search.matches($0.name) } }
}
