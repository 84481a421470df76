import FoundationEssentials
import WebImageCore

/// Prefetches a list's pictures around the visible ones, at the size of its cells: for lists that make cells for visible
/// items only. The cells of GTK's list and grid views load theirs within a ``LoadWindow`` without it.
///
/// ```swift
/// let pictures = ListPrefetcher(cellPixelSize: PixelSize(width: 200, height: 200), coversCells: true) { index in
///     ImageRequest(items[index].url)
/// }
/// pictures.show(visibleRange, itemCount: items.count)   // whenever it has changed
/// ```
/// Keep it as long as the list exists: releasing it cancels its prefetching. Cells that load their pictures with the
/// same options and the same size find them in memory, or join the running prefetch: pictures are decoded at the very size
/// that a view of `cellPixelSize` uses.
@MainActor
public final class ListPrefetcher {
    /// The size of the cells' pictures in pixels; requests with a thumbnail size of their own keep it. A change takes
    /// effect at once.
    public var cellPixelSize: PixelSize {
        didSet { if cellPixelSize != oldValue { reload() } }
    }

    private let coversCells: Bool
    private let prefetcher: WebImagePrefetcher
    private let makeRequest: @MainActor (_ index: Int) -> ImageRequest?
    private var plan: ListPrefetchPlan
    private var tokens: [Int: PrefetchToken] = [:]
    private var shown: (range: Range<Int>, itemCount: Int)?

    /// - Parameters:
    ///   - prefetcher: The prefetcher that loads the pictures, with its settings.
    ///   - window: The items to prefetch: by default, those of two screens in the direction of scrolling, and of one screen
    ///     behind.
    ///   - cellPixelSize: The size of the cells' pictures in pixels; with an empty size, pictures are decoded at full
    ///     size.
    ///   - coversCells: Whether pictures cover their cells, as with `GTK_CONTENT_FIT_COVER`. Default false.
    ///   - request: Returns the picture of an item; called each time that the item comes near.
    public init(
        prefetcher: WebImagePrefetcher = .shared, window: LoadWindow = LoadWindow(), cellPixelSize: PixelSize,
        coversCells: Bool = false, request: @escaping @MainActor (_ index: Int) -> ImageRequest?
    ) {
        self.prefetcher = prefetcher
        self.cellPixelSize = cellPixelSize
        self.coversCells = coversCells
        makeRequest = request
        plan = ListPrefetchPlan(window: window)
    }

    deinit {
        for token in tokens.values { token.cancel() }
    }

    /// Sets the visible items; call it whenever they or their number have changed.
    ///
    /// The direction follows from the previous range; until there are two, it is forwards, and nothing behind is
    /// prefetched. An empty
    /// range, for instance of a hidden list, cancels everything. When items were inserted or removed before others,
    /// call ``reload()`` as well.
    public func show(_ range: Range<Int>, itemCount: Int) {
        shown = (range, itemCount)
        apply(plan.show(range, itemCount: itemCount))
    }

    /// Starts again: the items at the indices have changed.
    public func reload() {
        apply(plan.hide())
        if let shown { show(shown.range, itemCount: shown.itemCount) }
    }

    /// Cancels everything until the next visible range.
    public func stop() {
        apply(plan.hide())
        shown = nil
    }

    private func apply(_ change: ListPrefetchPlan.Change) {
        for index in change.cancelled { tokens.removeValue(forKey: index)?.cancel() }
        for index in change.seen { tokens[index]?.withdraw() }
        for index in change.started {
            guard let request = makeRequest(index) else { continue }
            // Starts the new one first, so that it joins the load of the old one.
            let old = tokens[index]
            tokens[index] = prefetcher.prefetch(
                [request.decoded(for: cellPixelSize, isCovered: coversCells)], completed: nil)
            old?.cancel()
        }
    }
}

extension ImageRequest {
    fileprivate func decoded(for cell: PixelSize, isCovered: Bool) -> ImageRequest {
        guard context.thumbnailPixelSize == nil, !cell.isEmpty else { return self }
        var copy = self
        copy.context.thumbnailPixelSize = cell.roundedUpForDecoding
        if isCovered { copy.context.coversThumbnailBox = true }
        return copy
    }
}
