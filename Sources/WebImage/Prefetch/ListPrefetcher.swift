import FoundationEssentials

/// Prefetches a list's pictures ahead of the scrolling, at the size that its cells show.
///
/// ```swift
/// let pictures = ListPrefetcher(cellPixelSize: PixelSize(width: 200, height: 200)) { index in
///     ImageRequest(items[index].url)
/// }
/// pictures.show(visibleRange, itemCount: items.count)   // whenever it has changed
/// ```
/// Keep it as long as the list is there: with it goes what it prefetches. Cells that ask for their pictures with the same
/// options and the same size find them in memory, or join what is under way.
@MainActor
public final class ListPrefetcher {
    /// The picture of an item; nil for items without one.
    public typealias RequestProvider = @MainActor (_ index: Int) -> ImageRequest?

    /// What the cells show, in pixels; requests with a thumbnail size of their own keep theirs. A change takes effect at
    /// once.
    public var cellPixelSize: PixelSize {
        didSet { if cellPixelSize != oldValue { reload() } }
    }

    private let prefetcher: WebImagePrefetcher
    private let makeRequest: RequestProvider
    private var plan: ListPrefetchPlan
    private var tokens: [Int: PrefetchToken] = [:]
    private var shown: (range: Range<Int>, itemCount: Int)?

    /// - Parameters:
    ///   - prefetcher: What loads the pictures; its settings count.
    ///   - aheadCount: How many items are loaded ahead of those that are seen; 10 by default. Two screens are plenty.
    ///   - cellPixelSize: What the cells show, in pixels; an empty size prefetches pictures as they are.
    ///   - request: Gives the picture of an item; called each time that the item comes near.
    public init(
        prefetcher: WebImagePrefetcher = .shared, aheadCount: Int = 10, cellPixelSize: PixelSize,
        request: @escaping RequestProvider
    ) {
        self.prefetcher = prefetcher
        self.cellPixelSize = cellPixelSize
        makeRequest = request
        plan = ListPrefetchPlan(aheadCount: aheadCount)
    }

    deinit {
        for token in tokens.values { token.cancel() }
    }

    /// Tells which items are seen, whenever that or their number has changed.
    ///
    /// The direction comes from the range before: until there are two, both sides are prefetched. An empty range, as of a
    /// list that is hidden, cancels everything. When items were put in or taken out before others, ``reload()`` as well.
    public func show(_ range: Range<Int>, itemCount: Int) {
        shown = (range, itemCount)
        apply(plan.show(range, itemCount: itemCount))
    }

    /// Starts anew: the items behind the numbers are others now.
    public func reload() {
        apply(plan.hide())
        if let shown { show(shown.range, itemCount: shown.itemCount) }
    }

    /// Cancels everything, until something is seen again.
    public func stop() {
        apply(plan.hide())
        shown = nil
    }

    private func apply(_ change: ListPrefetchPlan.Change) {
        for index in change.cancelled { tokens.removeValue(forKey: index)?.cancel() }
        for index in change.seen { tokens[index]?.withdraw() }
        for index in change.started {
            guard let request = makeRequest(index) else { continue }
            // First the new one, which joins what the old one has under way.
            let old = tokens[index]
            tokens[index] = prefetcher.prefetch([request.fitting(cellPixelSize)])
            old?.cancel()
        }
    }
}

extension ImageRequest {
    fileprivate func fitting(_ size: PixelSize) -> ImageRequest {
        guard context.imageThumbnailPixelSize == nil, !size.isEmpty else { return self }
        var copy = self
        copy.context.imageThumbnailPixelSize = size
        return copy
    }
}
