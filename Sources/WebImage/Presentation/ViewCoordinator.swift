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
    private let surface: Surface
    private let queue: CallbackQueue
    private var state = ViewLoadState()
    private var requests: [Generation: Request] = [:]
    private var foreign: [ViewLoadKey: ForeignOperation] = [:]
    /// The load whose placeholder is kept back until it is known whether memory has the picture: setting both takes a
    /// cell that is bound twice as long.
    private var placeholderOwner: Generation?
    private var hasIndicator = false
    private var shownStatus = ViewLoadStatus.idle

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
}

// MARK: - Doing

extension ViewCoordinator {
    private func stop(_ key: ViewLoadKey) {
        cancelForeign(key)
        perform(state.stop(key))
    }

    private func cancelForeign(_ key: ViewLoadKey) { foreign.removeValue(forKey: key)?.task?.cancel() }

    private func perform(_ actions: [ViewLoadState.Action]) {
        progress.setIndicator(hasIndicator, leading: state.leading)
        let begins = actions.contains { if case .load = $0 { true } else { false } }
        guard begins else { return actions.forEach(perform) }
        for action in actions where action != .updateStatus {
            if case .showPlaceholder(let generation) = action, requests[generation]?.setImage == nil {
                showKeptPlaceholder()
                placeholderOwner = generation
            } else {
                perform(action)
            }
        }
        showBeginning()
    }

    /// What a view shows while it loads is kept back until memory was asked, and no longer: nobody is told that a load ran
    /// which memory answers, and whoever is asked after memory finds all in place.
    private func showBeginning() {
        showKeptPlaceholder()
        updateStatus()
    }

    private func perform(_ action: ViewLoadState.Action) {
        switch action {
        case .updateStatus: updateStatus()
        case .load(let generation): start(generation)
        case .showPlaceholder(let generation): show(generation) { $0.placeholder }
        case .showErrorImage(let generation):
            placeholderOwner = nil
            show(generation) { $0.context.errorImage }
        case .showImage(let generation):
            guard state.isCurrent(generation), let request = requests[generation] else { return }
            set(request.arrivedResult, as: request.hasShownPreliminary ? .completed : .final, by: request)
        case .transition(let generation):
            showKeptPlaceholder()
            runTransition(generation)
        case .cancel(let generation): part(from: generation) { $0.cancel() }
        case .leave(let generation): part(from: generation) { $0.detach() }
        case .refuse(let generation):
            guard let request = requests.removeValue(forKey: generation) else { return }
            request.completed?(.failure(request.refusal ?? .noURL))
        case .complete(let generation):
            showKeptPlaceholder()
            guard let request = requests.removeValue(forKey: generation), let arrived = request.arrived else { return }
            request.completed?(arrived)
        }
    }

    private func part(from generation: Generation, _ stop: (LoadOperation) -> Void) {
        showKeptPlaceholder()
        guard let request = requests.removeValue(forKey: generation) else { return }
        surface.withdraw(generation)
        request.operation.map(stop)
        request.completed?(.failure(.cancelled(url: request.url)))
    }

    /// Shows the placeholder that was kept back, unless its load has shown something else.
    private func showKeptPlaceholder() {
        guard let generation = placeholderOwner else { return }
        placeholderOwner = nil
        show(generation) { $0.placeholder }
    }

    private func updateStatus() {
        let status = state.status
        guard status != shownStatus else { return }
        let former = shownStatus
        shownStatus = status
        if hasIndicator {
            if status == .loading { surface.startIndicator() } else if former == .loading { surface.stopIndicator() }
        }
        surface.setStatus(status)
    }

    /// Asks the manager, when it is time to.
    private func start(_ generation: Generation) {
        guard let request = requests[generation] else { return }
        if !request.isHeld { progress.begin(generation, key: request.key) }
        let admission = surface.admit(
            AdmissionRequest(
                number: generation, takesViewSize: request.takesViewSize, isPatient: request.options.isPatient,
                isInMemory: { [queue] in request.isInMemory(for: $0, callbackQueue: queue) },
                resume: { [weak self] in self?.start(generation) }),
            for: request.view)
        guard case .now(let box) = admission else { return hold(generation) }
        request.box = box
        begin(generation)
    }

    /// What has to wait can be cancelled, too, by whoever has started it.
    private func hold(_ generation: Generation) {
        guard let request = requests[generation], !request.isHeld else { return }
        request.isHeld = true
        request.operation = request.manager.prepare(asked(by: request), callbacks(of: request, generation))
    }

    /// Asks the manager, which may answer before this returns.
    private func begin(_ generation: Generation) {
        guard let request = requests[generation] else { return }
        if request.isHeld, let operation = request.operation {
            request.isHeld = false
            request.manager.begin(operation, asked(by: request))
            return setPriority(generation)
        }
        let operation = request.manager.start(asked(by: request), callbacks(of: request, generation))
        guard requests[generation] != nil else {
            // Without an answer, it was stopped by what was called meanwhile, when nobody had the operation yet.
            if request.arrived == nil { operation.cancel() }
            return
        }
        request.operation = operation
        setPriority(generation)
    }

    private func asked(by request: Request) -> ImageRequest {
        ImageRequest(
            request.url, options: request.options.subtracting(.ofViews),
            context: request.contextForManager(callbackQueue: queue, box: request.box))
    }

    private func callbacks(of request: Request, _ generation: Generation) -> LoadCallbacks {
        let (key, told) = (request.key, request.progress)
        return LoadCallbacks(
            progress: { [progress] in
                progress.report($0, of: generation, key: key)
                told?($0)
            },
            received: { [weak self] update in MainActor.assumeIsolated { self?.receive(update, for: generation) } },
            completed: { [weak self] result in MainActor.assumeIsolated { self?.receive(result, for: generation) } },
            memoryMissed: { [weak self] in MainActor.assumeIsolated { self?.showBeginning() } })
    }

    private func setPriority(_ generation: Generation) {
        guard let request = requests[generation], let operation = request.operation else { return }
        operation.setPriority(LoadPriority(inView: request.options, isSeen: surface.isSeen))
    }

    /// A part of the picture, or the one in the cache that is being refreshed, never gets a transition.
    private func receive(_ update: LoadUpdate, for generation: Generation) {
        guard state.showsUpdate(of: generation), let request = requests[generation] else { return }
        switch update {
        case .cached(let result): set(result, as: .preliminary, by: request)
        case .partial(let image): set(image, nil, .none, as: .preliminary, by: request)
        }
    }

    private func receive(_ result: Result<LoadResult, WebImageError>, for generation: Generation) {
        guard let request = requests[generation] else { return }
        // Whoever has started it has cancelled it before it began.
        if request.isHeld { surface.withdraw(generation) }
        request.arrived = result
        if case .success = result { progress.finish(generation, key: request.key) }
        perform(state.finish(generation, with: ViewLoadState.Ending(result), hasTransition: transition != nil))
        surface.settle(request.view)
    }
}

// MARK: - Showing

extension ViewCoordinator {
    private func show(_ generation: Generation, _ image: (Request) -> Image?) {
        guard state.isCurrent(generation), let request = requests[generation] else { return }
        set(image(request), nil, .none, as: .placeholder, by: request)
    }

    private func set(_ result: LoadResult?, as role: PictureRole, by request: Request) {
        guard let result else { return }
        set(result.image, result.data, result.cacheType, as: role, by: request)
    }

    private func set(
        _ image: Image?, _ data: Data?, _ cacheType: ImageCacheType, as role: PictureRole, by request: Request
    ) {
        if let setImage = request.setImage {
            setImage(image, data, cacheType, request.url)
        } else {
            let isFirst = placeholderOwner.map { requests[$0] === request } ?? false
            if isFirst { placeholderOwner = nil }
            let picture = role == .final || role == .completed ? image.map { ShownPicture($0, by: request) } : nil
            upkeep.note(picture, at: request.place)
            if role == .preliminary { request.hasShownPreliminary = true }
            surface.show(image, as: isFirst && role == .final ? .immediate : role, in: request.view)
        }
    }

    /// Whatever is called here may begin another load, and then nothing more of this one is.
    private func runTransition(_ generation: Generation) {
        guard let request = requests[generation], let result = request.arrivedResult, let transition,
            state.runsTransition(generation)
        else { return perform(state.endTransition(generation)) }
        let view = request.view
        transition.prepares?(view, result.image, result.data, result.cacheType, request.url)
        guard state.runsTransition(generation) else { return }
        let steps = TransitionSteps(
            set: { [weak self] in
                guard let self, state.runsTransition(generation), !transition.avoidAutoSetImage else { return }
                set(result, as: .final, by: request)
            },
            animate: { [weak self] in
                guard let self, state.runsTransition(generation) else { return }
                transition.animations?(view, result.image)
            },
            ended: { [weak self] finished in self?.endTransition(generation, transition, finished: finished) })
        surface.transition(transition, to: result.image, in: view, steps: steps)
    }

    private func endTransition(_ generation: Generation, _ transition: WebImageTransition<View>, finished: Bool) {
        let isStillWanted = state.runsTransition(generation)
        let actions = state.endTransition(generation)
        if isStillWanted { transition.completion?(finished) }
        perform(actions)
    }
}

extension ViewLoadRequest {
    fileprivate var arrivedResult: LoadResult? { try? arrived?.get() }
}
