import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageLoading
import WebImagePresentation

/// A view that performs the actions of ``ViewLoadState``, as a toolkit's does; on the main queue only.
final class SimulatedView: Sendable {
    typealias Generation = ViewLoadState.Generation

    private struct State {
        var loads = ViewLoadState()
        var requests: [Generation: ObservedLoad] = [:]
        var endings: [Generation: Int] = [:]
    }

    private let schedule: any Schedule
    private let start: @Sendable (ObservedLoad, LoadCallbacks) -> LoadOperation?
    private let state = Mutex(State())

    /// - Parameter start: Calls the manager; nil when it is gone.
    init(_ schedule: any Schedule, start: @escaping @Sendable (ObservedLoad, LoadCallbacks) -> LoadOperation?) {
        self.schedule = schedule
        self.start = start
    }

    func bind(_ load: ObservedLoad) {
        let url = SimulatedLoader.url(load.wish.address)
        if !load.wish.options.contains(.avoidAutoCancelImage) {
            perform(state.withLock { $0.loads.stop(.image) })
        }
        let actions = state.withLock { state in
            let (generation, actions) = state.loads.begin(.init(url, options: load.wish.options))
            state.requests[generation] = load
            return actions
        }
        perform(actions)
    }

    func cancel() { perform(state.withLock { $0.loads.cancel(.image) }) }

    func end() { perform(state.withLock { $0.loads.end() }) }

    /// Whether every load has called its completion once.
    var isSettled: Bool { state.withLock { $0.requests.isEmpty && $0.endings.values.allSatisfy { $0 == 1 } } }

    private func perform(_ actions: [ViewLoadState.Action], _ arrived: Result<LoadResult, WebImageError>? = nil) {
        for action in actions { perform(action, arrived) }
    }

    private func perform(_ action: ViewLoadState.Action, _ arrived: Result<LoadResult, WebImageError>?) {
        switch action {
        case .cancel(let generation), .leave(let generation):
            guard let load = state.withLock({ $0.requests[generation] }) else { return }
            complete(generation)
            load.cancel()
        case .showPlaceholder, .showErrorImage, .updateStatus, .transition: break
        case .load(let generation): load(generation)
        case .showImage(let generation):
            guard state.withLock({ $0.loads.isCurrent(generation) }), case .success(let result) = arrived else {
                return
            }
            show(result.image, generation)
        case .refuse(let generation), .complete(let generation): complete(generation)
        }
    }

    private func complete(_ generation: Generation) {
        state.withLock { state in
            guard state.requests.removeValue(forKey: generation) != nil else { return }
            state.endings[generation, default: 0] += 1
        }
    }

    private func load(_ generation: Generation) {
        guard let load = state.withLock({ $0.requests[generation] }) else { return }
        let callbacks = LoadCallbacks(
            received: { self.receive($0, generation, load) },
            completed: { self.receive($0, generation, load) })
        guard let operation = start(load, callbacks) else { return complete(generation) }
        load.began(operation)
    }

    private func receive(_ update: LoadEvent, _ generation: Generation, _ load: ObservedLoad) {
        load.received(update)
        guard state.withLock({ $0.loads.showsUpdate(of: generation) }) else { return }
        switch update {
        case .cached(let result), .preview(let result): show(result.image, generation)
        case .partial(let image): show(image, generation)
        case .progress, .finished: break
        }
    }

    private func receive(
        _ result: Result<LoadResult, WebImageError>, _ generation: Generation, _ load: ObservedLoad
    ) {
        load.completed(result)
        perform(state.withLock { $0.loads.finish(generation, with: ViewLoadState.Ending(result)) }, result)
    }

    private func show(_ image: Image, _ generation: Generation) {
        schedule.check(schedule.isOnMain, "a view is changed off the main queue")
        let (load, url) = state.withLock { ($0.requests[generation], $0.loads.url(for: .image)) }
        guard let load else { return schedule.fail("a view shows a load that it has given up") }
        let picture = SimulatedPicture(image)
        load.note("is shown as \(picture)")
        load.check(
            SimulatedLoader.url(picture.address) == url, "a view of \(url?.path() ?? "nothing") shows \(picture)")
    }
}
