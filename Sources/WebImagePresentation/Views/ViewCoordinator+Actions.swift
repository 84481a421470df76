import WebImageCore
import WebImageHTTP
import WebImageLoading

/// Performs the actions of the loads' state machine.
extension ViewCoordinator {
    func perform(_ actions: [ViewLoadState.Action]) {
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

    /// Shows the deferred placeholder and status. Both wait until memory has answered: for a picture in memory neither
    /// appears, and a collaborator that is called after memory finds them in place.
    func showBeginning() {
        showKeptPlaceholder()
        updateStatus()
    }

    func perform(_ action: ViewLoadState.Action) {
        switch action {
        case .updateStatus: updateStatus()
        case .load(let generation): start(generation)
        case .showPlaceholder(let generation):
            if !keepPicture(of: generation) { showPlaceholder(generation) }
        case .showErrorImage(let generation):
            placeholderOwner = nil
            if !keepPicture(of: generation) { show(generation) { $0.errorImage } }
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

    /// A refresh that fails leaves the picture that was to be refreshed, and a load that fails leaves its preview.
    ///
    /// - Returns: Whether there is one.
    private func keepPicture(of generation: Generation) -> Bool {
        guard state.isCurrent(generation), let request = requests[generation] else { return false }
        guard let result = request.refreshedResult else { return request.hasShownPreview }
        set(result, as: .completed, by: request)
        return true
    }

    func part(from generation: Generation, _ stop: @escaping (LoadOperation) -> Void) {
        showKeptPlaceholder()
        guard let request = requests.removeValue(forKey: generation) else { return }
        surface.admission.withdraw(request.id)
        // Nothing would begin a load that waits for a view that is gone.
        if request.isHeld { request.operation?.cancel() }
        if let operation = request.operation { stop(operation) } else { request.stop = stop }
        request.completed?(.failure(.cancelled(url: request.url)))
    }

    /// Shows the deferred placeholder, unless its load has shown something else.
    func showKeptPlaceholder() {
        guard let generation = placeholderOwner else { return }
        placeholderOwner = nil
        showPlaceholder(generation)
    }

    func updateStatus() {
        let status = state.status
        guard status != shownStatus else { return }
        shownStatus = status
        updateIndicator()
        surface.setStatus(status)
    }
}
