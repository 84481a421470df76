import FoundationEssentials
import WebImageCore
import WebImageLoading

/// The loads of one widget: performs the actions of ``ViewLoadState``, with a manager and a surface for the pictures.
///
/// The widget owns it through its toolkit, which calls ``end()`` when the widget is destroyed. On the main thread only.
@MainActor
package final class ViewCoordinator<Surface: PresentationSurface> {
    package typealias View = Surface.View
    package typealias Request = ViewLoadRequest<View>
    typealias Generation = ViewLoadState.Generation

    /// The transition for pictures that were not in memory; nil to show them at once.
    package var transition: WebImageTransition<View>?
    /// The error pictures of places, for later loads whose context has none.
    package var errorImages: [ViewLoadKey: Image] = [:]
    /// The progress of loads.
    package let progress: ProgressRelay
    /// The pictures of finished loads.
    package let upkeep: PictureUpkeep<Surface>
    let surface: Surface
    let queue: CallbackQueue
    var state = ViewLoadState()
    var requests: [Generation: Request] = [:]
    private var formerLoads: [ViewLoadKey: FormerLoad<View>] = [:]
    private var foreign: [ViewLoadKey: ForeignOperation] = [:]
    /// The load whose placeholder waits until memory has answered: setting both placeholder and picture would double
    /// the time for binding a cell.
    var placeholderOwner: Generation?
    private(set) var hasIndicator = false
    private var isIndicatorRunning = false
    var shownStatus = ViewLoadStatus.idle

    /// An operation that the app has set under a key.
    private struct ForeignOperation {
        weak var task: (any CancellableTask)?
    }

    /// - Parameter queue: A queue on the main thread, which replaces that of a load's context.
    package init(surface: Surface, queue: CallbackQueue) {
        self.surface = surface
        self.queue = queue
        upkeep = PictureUpkeep(surface: surface, queue: queue)
        progress = ProgressRelay(queue: queue) { [weak surface] in surface?.updateIndicator($0) }
        upkeep.restoringHasChanged = { [weak self] in self?.updateIndicator() }
    }

    // MARK: - State

    /// The key of the latest load.
    package var latestKey: ViewLoadKey { state.latestKey }

    /// The key of the latest load for `place`.
    package func latestKey(at place: ViewLoadKey) -> ViewLoadKey { state.latestKey(at: place) }

    /// The URL of the latest load under `key`.
    package func url(for key: ViewLoadKey) -> URL? { state.url(for: key) }

    /// Replaces that URL; nil removes it.
    package func setURL(_ url: URL?, for key: ViewLoadKey) { state.setURL(url, for: key) }

    /// The common status of the widget's loads.
    package var status: ViewLoadStatus { state.status }

    /// Whether a load under `key` is running.
    package func isLoading(_ key: ViewLoadKey) -> Bool { state.isLoading(key) }

    // MARK: - Calls of the app

    /// Starts a load in place of the one before it.
    ///
    /// - Returns: The load, running or on hold; nil when it has already ended.
    package func load(_ request: Request) -> LoadOperation? {
        formerLoads[request.place] = request.former ?? FormerLoad(request)
        if request.errorImage == nil { request.errorImage = errorImages[request.place] }
        let load = request.load
        // A cache may hold pictures weakly: replacing the view's picture by the placeholder must not release the very
        // picture that is requested.
        let former = surface.image(in: request.view)
        defer { withExtendedLifetime(former) {} }
        if !load.options.contains(.avoidAutoCancelImage) { stop(load.key) }
        let (generation, actions) = state.begin(load)
        requests[generation] = request
        perform(actions)
        return requests[generation]?.operation
    }

    /// The latest load for `place`, running or ended; nil when there was none.
    package func formerLoad(at place: ViewLoadKey) -> FormerLoad<View>? { formerLoads[place] }

    /// Cancels the load under `key`; its completion is called before this returns.
    package func cancel(_ key: ViewLoadKey) {
        cancelForeign(key)
        perform(state.cancel(key))
    }

    /// The operation that ``cancel(_:)`` would cancel.
    package func operation(for key: ViewLoadKey) -> (any CancellableTask)? {
        if let task = foreign[key]?.task { return task }
        return state.cancellable(key).flatMap { requests[$0]?.operation }
    }

    /// Sets an operation of the app's under `key`, without cancelling the former one; nil changes nothing. It is held
    /// weakly.
    package func setOperation(_ operation: (any CancellableTask)?, for key: ViewLoadKey) {
        guard let operation else { return }
        state.release(key)
        foreign[key] = ForeignOperation(task: operation)
    }

    /// Removes the operation under `key`, without cancelling it.
    package func removeOperation(for key: ViewLoadKey) {
        foreign[key] = nil
        state.release(key)
    }

    /// The widget is being destroyed: all loads are cancelled, except those that continue in the background, and
    /// nothing is shown any more.
    package func end() {
        for key in foreign.keys { cancelForeign(key) }
        perform(state.end())
        formerLoads = [:]
        upkeep.end()
    }

    /// The widget became visible or invisible, which changes the priority of its loads.
    package func visibilityHasChanged() {
        for generation in requests.keys { setPriority(generation) }
        if surface.isSeen { upkeep.appear() } else { upkeep.disappear() }
    }

    /// Sets or removes an indicator.
    ///
    /// - Parameter change: Performs the change; the former indicator is stopped before it, and the new one is started
    ///   afterwards if a load runs.
    package func changeIndicator(isThere: Bool, _ change: () -> Void) {
        if isIndicatorRunning { surface.stopIndicator() }
        (hasIndicator, isIndicatorRunning) = (isThere, false)
        change()
        progress.setIndicator(isThere, leading: state.leading)
        updateIndicator()
    }

    /// It runs while a picture is being loaded, for the first time or again.
    func updateIndicator() {
        let runs = hasIndicator && (shownStatus == .loading || upkeep.isRestoring)
        guard runs != isIndicatorRunning else { return }
        isIndicatorRunning = runs
        if runs { surface.startIndicator() } else { surface.stopIndicator() }
    }

    private func stop(_ key: ViewLoadKey) {
        cancelForeign(key)
        perform(state.stop(key))
    }

    private func cancelForeign(_ key: ViewLoadKey) { foreign.removeValue(forKey: key)?.task?.cancel() }
}
