import FoundationEssentials

/// The loads of one widget: does what ``ViewLoadState`` decides, with a manager and a surface that shows the pictures.
///
/// The toolkit keeps it as long as the widget, and calls ``end()`` when that goes. On the main thread only.
@MainActor
package final class ViewCoordinator<Surface: PresentationSurface> {
    package typealias View = Surface.View
    package typealias Request = ViewLoadRequest<View>
    typealias Generation = ViewLoadState.Generation

    /// How pictures that had to be waited for take their place; nil for at once.
    package var transition: WebImageTransition<View>?
    /// What loads tell of their progress.
    package let progress: ProgressRelay
    /// What becomes of pictures once they have arrived.
    package let upkeep: PictureUpkeep<Surface>
    let surface: Surface
    let queue: CallbackQueue
    var state = ViewLoadState()
    var requests: [Generation: Request] = [:]
    private var foreign: [ViewLoadKey: ForeignOperation] = [:]
    /// The load whose placeholder is kept back until it is known whether memory has the picture: setting both takes a
    /// cell that is bound twice as long.
    var placeholderOwner: Generation?
    var hasIndicator = false
    var shownStatus = ViewLoadStatus.idle

    /// An operation that the app has put under a key.
    private struct ForeignOperation {
        weak var task: (any CancellableTask)?
    }

    /// - Parameter queue: Leads to the main thread, whatever queue a load's context names.
    package init(surface: Surface, queue: CallbackQueue) {
        self.surface = surface
        self.queue = queue
        upkeep = PictureUpkeep(surface: surface, queue: queue)
        progress = ProgressRelay(queue: queue) { [weak surface] in surface?.updateIndicator($0) }
    }

    // MARK: - What is known

    /// The key of the load that was started last.
    package var latestKey: ViewLoadKey { state.latestKey }

    /// The key of the load that was started last for `place`.
    package func latestKey(at place: ViewLoadKey) -> ViewLoadKey { state.latestKey(at: place) }

    /// The URL of the latest load under `key`.
    package func url(for key: ViewLoadKey) -> URL? { state.url(for: key) }

    /// Puts another URL in place of it, or forgets it.
    package func setURL(_ url: URL?, for key: ViewLoadKey) { state.setURL(url, for: key) }

    /// What the loads of the widget do together.
    package var status: ViewLoadStatus { state.status }

    /// Whether a load under `key` has not ended.
    package func isLoading(_ key: ViewLoadKey) -> Bool { state.isLoading(key) }

    // MARK: - What the app asks for

    /// Starts a load in place of the one before it.
    ///
    /// - Returns: The load, whether it has begun or waits until it may; nil when it has ended already.
    package func load(_ request: Request) -> LoadOperation? {
        let load = request.load
        // A cache may hold pictures only as long as somebody else does: the placeholder must not take the very picture
        // away that is asked for.
        let former = surface.image(in: request.view)
        defer { withExtendedLifetime(former) {} }
        if !load.options.contains(.avoidAutoCancelImage) { stop(load.key) }
        let (generation, actions) = state.begin(load)
        requests[generation] = request
        perform(actions)
        return requests[generation]?.operation
    }

    /// Stops the load under `key`, and calls its completion before this returns.
    package func cancel(_ key: ViewLoadKey) {
        cancelForeign(key)
        perform(state.cancel(key))
    }

    /// What ``cancel(_:)`` would cancel.
    package func operation(for key: ViewLoadKey) -> (any CancellableTask)? {
        if let task = foreign[key]?.task { return task }
        return state.cancellable(key).flatMap { requests[$0]?.operation }
    }

    /// Puts an operation of the app's own under `key`, without cancelling what was there; nil changes nothing. It is held
    /// weakly.
    package func setOperation(_ operation: (any CancellableTask)?, for key: ViewLoadKey) {
        guard let operation else { return }
        state.release(key)
        foreign[key] = ForeignOperation(task: operation)
    }

    /// Forgets the operation under `key`, without cancelling it.
    package func removeOperation(for key: ViewLoadKey) {
        foreign[key] = nil
        state.release(key)
    }

    /// The widget goes: all loads are cancelled, but for those that go on in the background, and nothing is shown any more.
    package func end() {
        for key in foreign.keys { cancelForeign(key) }
        perform(state.end())
        upkeep.end()
    }

    /// The widget came into sight, or went out of it: how urgent its loads are has changed.
    package func visibilityHasChanged() {
        for generation in requests.keys { setPriority(generation) }
        if surface.isSeen { upkeep.appear() } else { upkeep.disappear() }
    }

    /// Puts an indicator in place of the one before it, or of none.
    ///
    /// - Parameter change: Does so; the former one has been stopped, and the new one is started when it has to.
    package func changeIndicator(isThere: Bool, _ change: () -> Void) {
        let isLoading = shownStatus == .loading
        if isLoading, hasIndicator { surface.stopIndicator() }
        hasIndicator = isThere
        change()
        progress.setIndicator(isThere, leading: state.leading)
        if isLoading, isThere { surface.startIndicator() }
    }

    private func stop(_ key: ViewLoadKey) {
        cancelForeign(key)
        perform(state.stop(key))
    }

    private func cancelForeign(_ key: ViewLoadKey) { foreign.removeValue(forKey: key)?.task?.cancel() }
}
