import FoundationEssentials
import WebImageCore
import WebImageLoading
import WebImagePixels

/// Shows pictures and placeholders, at once and by transitions.
extension ViewCoordinator {
    func show(_ generation: Generation, _ image: (Request) -> Image?) {
        guard state.isCurrent(generation), let request = requests[generation] else { return }
        set(image(request), nil, .noCache, as: .placeholder, by: request)
    }

    /// Shows the placeholder of a load, or nothing until the cache has its hash.
    func showPlaceholder(_ generation: Generation) {
        show(generation) { $0.placeholder?.drawn }
        guard state.awaitsPicture(of: generation), let request = requests[generation],
            request.placeholder?.appearance == .cachedHash
        else { return }
        request.manager.queryThumbHash(for: asked(by: request, for: request.box)) { [weak self, queue] hash in
            guard let image = Image(blurOf: hash) else { return }
            queue.run { MainActor.assumeIsolated { self?.receive(placeholder: image, for: generation) } }
        }
    }

    /// A placeholder that comes after a picture is not shown.
    private func receive(placeholder image: Image, for generation: Generation) {
        guard state.awaitsPicture(of: generation), requests[generation]?.hasShownPreliminary == false else { return }
        show(generation) { _ in image }
    }

    func set(_ result: LoadResult?, as role: PictureRole, by request: Request) {
        guard let result else { return }
        set(result.image, result.data, result.cacheType, as: role, by: request)
    }

    func set(
        _ image: Image?, _ data: Data?, _ cacheType: ImageCacheType, as role: PictureRole, by request: Request
    ) {
        if role == .preliminary { request.hasShownPreliminary = true }
        if let setImage = request.setImage {
            setImage(image, data, cacheType, request.url)
        } else {
            let isFirst = placeholderOwner.map { requests[$0] === request } ?? false
            if isFirst { placeholderOwner = nil }
            let picture = role == .final || role == .completed ? image.map { ShownPicture($0, by: request) } : nil
            upkeep.note(picture, at: request.place)
            surface.show(image, as: isFirst && role == .final ? .immediate : role, in: request.view)
        }
    }

    /// Any closure called here may begin another load; after that no closure of this one is called.
    func runTransition(_ generation: Generation) {
        guard let request = requests[generation], let result = request.arrivedResult,
            let transition = request.transition ?? transition, state.runsTransition(generation)
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

    func endTransition(_ generation: Generation, _ transition: WebImageTransition<View>, finished: Bool) {
        let isStillWanted = state.runsTransition(generation)
        let actions = state.endTransition(generation)
        if isStillWanted { transition.completion?(finished) }
        perform(actions)
    }
}
