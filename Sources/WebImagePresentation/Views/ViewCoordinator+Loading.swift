import FoundationEssentials
import WebImageCore
import WebImageLoading

/// Calls to managers, and their results.
extension ViewCoordinator {
    /// Begins a load once the surface admits it.
    func start(_ generation: Generation) {
        guard let request = requests[generation] else { return }
        if !request.isHeld { progress.begin(generation, key: request.key) }
        let admission = surface.admission.admit(
            AdmissionRequest(
                id: request.id, takesViewSize: request.takesViewSize, isPatient: request.options.isPatient,
                isInMemory: { [weak self] in self?.isInMemory(generation, for: $0) ?? false },
                resume: { [weak self] in self?.start(generation) },
                move: { [weak self] in self?.move(generation, to: $0) }),
            for: request.view)
        // An interceptor may have stopped the load before its admission was noted.
        guard requests[generation] != nil else { return surface.admission.withdraw(request.id) }
        guard case .now(let box) = admission else { return hold(generation) }
        begin(generation, for: box)
    }

    /// A load on hold has an operation, too, so that its caller can cancel it.
    func hold(_ generation: Generation) {
        guard let request = requests[generation], !request.isHeld else { return }
        request.isHeld = true
        request.prepared = request.prepared?.afterWait
        request.operation = request.manager.hold(
            asked(by: request, for: nil), request.prepared?.callbacks ?? callbacks(of: request, generation))
    }

    /// The view has moved: a load that comes near begins, and one that is far away is taken back.
    func move(_ generation: Generation, to visibility: ViewVisibility) {
        guard let request = requests[generation] else { return }
        request.visibility = visibility
        setPriority(generation)
        switch visibility {
        case .seen, .near: if request.isHeld { start(generation) }
        case .far:
            guard let operation = request.operation, !request.isHeld else { return }
            request.isHeld = request.manager.suspend(operation)
            if request.isHeld { request.prepared = request.prepared?.afterWait }
        }
    }

    /// Begins a load, which may end before this returns.
    func begin(_ generation: Generation, for box: DecodeBox?) {
        guard let request = requests[generation] else { return }
        let load = prepare(request, generation, for: box)
        if let operation = request.operation {
            request.isHeld = false
            return request.manager.begin(operation, load)
        }
        let operation = request.manager.begin(load)
        guard requests[generation] != nil else {
            // Without an answer, an interceptor or a callback has stopped the load before the operation was returned.
            if request.arrived == nil { request.stop(operation) }
            return
        }
        request.operation = operation
    }

    /// Asks the interceptors and memory, once for each decode size: nearly always for one.
    private func prepare(_ request: Request, _ generation: Generation, for box: DecodeBox?) -> PlannedLoad {
        if let load = request.prepared, request.box == box { return load }
        request.box = box
        let load = request.manager.prepare(asked(by: request, for: box), callbacks(of: request, generation))
        request.prepared = load
        return load
    }

    private func isInMemory(_ generation: Generation, for box: DecodeBox?) -> Bool {
        guard let request = requests[generation] else { return false }
        return request.manager.endsAtOnce(prepare(request, generation, for: box))
    }

    func asked(by request: Request, for box: DecodeBox?) -> ImageRequest {
        ImageRequest(
            request.url, options: request.options.subtracting(.ofViews),
            context: request.contextForManager(callbackQueue: queue, box: box))
    }

    func callbacks(of request: Request, _ generation: Generation) -> LoadCallbacks {
        let (key, latest) = (request.key, request.latestProgress)
        return LoadCallbacks(
            queue: queue, priority: priority(of: request),
            progress: { [weak self, progress, queue] in
                progress.report($0, of: generation, key: key)
                guard let latest, latest.put($0) else { return }
                queue.run { [weak self] in MainActor.assumeIsolated { self?.tellProgress(of: generation) } }
            },
            received: { [weak self] update in MainActor.assumeIsolated { self?.receive(update, for: generation) } },
            completed: { [weak self] result in MainActor.assumeIsolated { self?.receive(result, for: generation) } },
            memoryMissed: { [weak self] in MainActor.assumeIsolated { self?.showBeginning() } })
    }

    func setPriority(_ generation: Generation) {
        guard let request = requests[generation], let operation = request.operation else { return }
        operation.setPriority(priority(of: request))
    }

    private func priority(of request: Request) -> LoadPriority {
        LoadPriority(inView: request.options, isSeen: request.visibility.map { $0 == .seen } ?? surface.isSeen)
    }

    /// A preview, a partial picture, or the cached one during a refresh, never has a transition.
    func receive(_ update: LoadEvent, for generation: Generation) {
        guard state.showsUpdate(of: generation), let request = requests[generation] else { return }
        switch update {
        case .cached(let result):
            request.refreshedResult = result
            set(result, as: .preliminary, by: request)
        case .preview(let result):
            request.hasShownPreview = true
            set(result, as: .preliminary, by: request)
        case .partial(let image): set(image, nil, .noCache, as: .preliminary, by: request)
        case .progress, .finished: break
        }
    }

    /// Nothing is told after the end of a load.
    func tellProgress(of generation: Generation) {
        guard let request = requests[generation], let latest = request.latestProgress?.take() else { return }
        request.progress?(latest)
    }

    func receive(_ result: Result<LoadResult, WebImageError>, for generation: Generation) {
        tellProgress(of: generation)
        guard let request = requests[generation] else { return }
        surface.admission.withdraw(request.id)
        request.arrived = result
        if case .success = result { progress.finish(generation, key: request.key) }
        let hasTransition = request.transition ?? transition != nil
        perform(state.finish(generation, with: ViewLoadState.Ending(result), hasTransition: hasTransition))
        surface.settle(request.view)
    }
}
