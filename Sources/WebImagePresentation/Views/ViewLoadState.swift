import FoundationEssentials
import WebImageCore

/// The loads of one view as a pure state machine: takes events, returns the view's actions.
///
/// Every load has a generation, a number that is unique in the view. Results for a generation that is no longer the
/// current one of its key, or no longer the youngest of its place, are not shown: this keeps former pictures out of a
/// recycled cell. The generation also tells whether a transition still belongs to the load that started it.
package struct ViewLoadState: Sendable {
    private var current: [ViewLoadKey: Generation] = [:]
    /// The youngest load for each place, under any key: a place shows its latest load.
    private var youngest: [ViewLoadKey: Generation] = [:]
    /// The load that each key cancels: the current one, unless the app has detached it.
    private var cancellable: [ViewLoadKey: Generation] = [:]
    private var running: [Generation: Load] = [:]
    /// Loads whose completion waits for the end of their transition.
    private var waiting: [Generation: Load] = [:]
    private var transitions: [ViewLoadKey: Generation] = [:]
    private var urls: [ViewLoadKey: URL] = [:]
    /// The keys of all loads, the latest last.
    private var keys: [ViewLoadKey] = []
    private var latestKeys: [ViewLoadKey: ViewLoadKey] = [:]
    private var lastGeneration: Generation = 0
    private var lastOutcome = ViewLoadStatus.idle
    private var toldStatus = ViewLoadStatus.idle
    private var isEnded = false

    /// A view without loads.
    package init() {}

    /// The key of the latest load.
    package private(set) var latestKey = ViewLoadKey.image

    /// The key of the latest load for `place`.
    package func latestKey(at place: ViewLoadKey) -> ViewLoadKey { latestKeys[place] ?? place }

    /// The URL of the latest load under `key`, running or ended; nil when that had none.
    package func url(for key: ViewLoadKey) -> URL? { urls[key] }

    /// Replaces the URL that is stored for `key`; nil removes it.
    package mutating func setURL(_ url: URL?, for key: ViewLoadKey) { urls[key] = url }

    /// Whether `generation` is the latest of its key and of its place, so that its results may be shown.
    package func isCurrent(_ generation: Generation) -> Bool {
        !isEnded && current.values.contains(generation) && youngest.values.contains(generation)
    }

    /// Whether a load under `key` is running.
    package func isLoading(_ key: ViewLoadKey) -> Bool { current[key].map { running[$0] != nil } ?? false }

    /// The load that ``cancel(_:)`` would cancel.
    package func cancellable(_ key: ViewLoadKey) -> Generation? {
        cancellable[key].flatMap { running[$0] != nil || waiting[$0] != nil ? $0 : nil }
    }

    /// The common status of all loads.
    package var status: ViewLoadStatus { leading == nil ? lastOutcome : .loading }

    /// The youngest running load with a URL: the one whose progress an indicator shows.
    package var leading: Generation? { running.lazy.filter { $0.value.url != nil }.map(\.key).max() }

    /// Whether to show a preliminary picture of a load.
    package func showsUpdate(of generation: Generation) -> Bool {
        isCurrent(generation) && running[generation]?.showsPictures == true
    }

    /// Whether a load is running whose placeholder the view may show.
    package func awaitsPicture(of generation: Generation) -> Bool {
        isCurrent(generation) && running[generation] != nil
    }

    /// Whether the transition at the load's place still belongs to `generation`: otherwise none of its closures is
    /// called.
    package func runsTransition(_ generation: Generation) -> Bool {
        !isEnded && transitions.values.contains(generation)
    }
}

// MARK: - Events

extension ViewLoadState {
    /// A new load replaces the one before it under its key: that is cancelled first, then the placeholder is shown, and
    /// then the load starts, because it may be answered at once. With ``WebImageOptions/avoidAutoCancelImage`` the load
    /// before it continues, and its results are not shown.
    package mutating func begin(_ load: Load) -> (generation: Generation, actions: [Action]) {
        var actions = load.options.contains(.avoidAutoCancelImage) ? [] : stop(load.key)
        lastGeneration += 1
        let generation = lastGeneration
        guard !isEnded else { return (generation, [.cancel(generation)]) }
        actions += overtakeTransition(at: load.place)
        running[generation] = load
        current[load.key] = generation
        youngest[load.place] = generation
        cancellable[load.key] = generation
        urls[load.key] = load.url
        latestKey = load.key
        latestKeys[load.place] = load.key
        note(load.key)
        if !load.keepsPlaceholderBack { actions.append(.showPlaceholder(generation)) }
        actions += load.url == nil ? refuse(generation) : tellingStatus() + [.load(generation)]
        return (generation, actions)
    }

    /// A load has ended by itself.
    ///
    /// - Parameter hasTransition: Whether the view has a transition.
    package mutating func finish(
        _ generation: Generation, with ending: Ending, hasTransition: Bool = false
    ) -> [Action] {
        guard let load = running.removeValue(forKey: generation) else { return [] }
        guard isCurrent(generation) else { return tellingStatus() + [.complete(generation)] }
        lastOutcome = ending.outcome
        let showing = load.showing(ending, of: generation, hasTransition: hasTransition)
        var actions = tellingStatus()
        if let showing { actions.append(showing) }
        if showing == .transition(generation) {
            transitions[load.place] = generation
            if load.options.contains(.waitTransition) {
                waiting[generation] = load
                return actions
            }
        }
        return actions + [.complete(generation)]
    }

    /// The transition of a load is over, finished or interrupted.
    package mutating func endTransition(_ generation: Generation) -> [Action] {
        forgetTransition(generation)
        return waiting.removeValue(forKey: generation) == nil ? [] : [.complete(generation)]
    }

    /// The app cancels the load under `key`. The view keeps its content, or shows the deferred placeholder.
    package mutating func cancel(_ key: ViewLoadKey) -> [Action] {
        guard let generation = cancellable(key), let load = running[generation] else { return stop(key) }
        let actions = stop(key).filter { $0 != .showPlaceholder(generation) }
        lastOutcome = .idle
        return tellingStatus() + (load.keepsPlaceholderBack ? [.showPlaceholder(generation)] : []) + actions
    }

    /// Another load will begin under `key` at once: as ``cancel(_:)``, but the new load decides on the content and the
    /// status of the view. Only a closure of the app's still gets a deferred placeholder, because it relies on one.
    ///
    /// When a completion answers a cancellation with another load, the load that caused the cancellation wins, provided
    /// that this is called, and its actions are performed, before ``begin(_:)``.
    package mutating func stop(_ key: ViewLoadKey) -> [Action] {
        guard let generation = cancellable[key] else { return [] }
        forgetTransition(generation)
        if waiting.removeValue(forKey: generation) != nil { return [.cancel(generation)] }
        guard let load = running.removeValue(forKey: generation) else { return [] }
        let showsPlaceholder = load.isShownByApp && load.keepsPlaceholderBack
        return showsPlaceholder ? [.showPlaceholder(generation), .cancel(generation)] : [.cancel(generation)]
    }

    /// The app has detached the load under `key`: later loads do not cancel it.
    package mutating func release(_ key: ViewLoadKey) { cancellable[key] = nil }

    /// The view is gone: all loads are cancelled, except those that continue without it, and nothing is shown any more.
    package mutating func end() -> [Action] {
        isEnded = true
        defer {
            running.removeAll()
            waiting.removeAll()
        }
        return (Array(running.keys) + waiting.keys).sorted().map { generation in
            let goesOn = running[generation]?.options.contains(.continueInBackground) == true
            return goesOn ? .leave(generation) : .cancel(generation)
        }
    }

    /// The number of keys without a running load that are remembered: an app may name each load after its picture.
    private static let rememberedKeyCount = 16

    private mutating func note(_ key: ViewLoadKey) {
        if keys.last == key { return }
        keys.removeAll { $0 == key }
        keys.append(key)
        guard keys.count > Self.rememberedKeyCount, let old = keys.firstIndex(where: isForgettable) else { return }
        forget(keys.remove(at: old))
    }

    /// Whether nothing runs under `key`, and no visible content belongs to it.
    private func isForgettable(_ key: ViewLoadKey) -> Bool {
        guard !latestKeys.values.contains(key), let generation = current[key] else { return false }
        return running[generation] == nil && waiting[generation] == nil && !transitions.values.contains(generation)
    }

    private mutating func forget(_ key: ViewLoadKey) {
        current[key] = nil
        cancellable[key] = nil
        urls[key] = nil
    }

    private mutating func refuse(_ generation: Generation) -> [Action] {
        guard let load = running.removeValue(forKey: generation) else { return [] }
        lastOutcome = .idle
        let showing = load.showing(.failure, of: generation, hasTransition: false)
        return tellingStatus() + (showing.map { [$0] } ?? []) + [.refuse(generation)]
    }

    /// Before completions are called: one that begins another load must not be followed by an old status.
    private mutating func tellingStatus() -> [Action] {
        defer { toldStatus = status }
        return toldStatus == status ? [] : [.updateStatus]
    }

    /// A new load for a place ends only the transition that runs there, not that transition's load.
    private mutating func overtakeTransition(at place: ViewLoadKey) -> [Action] {
        transitions.removeValue(forKey: place).map { endTransition($0) } ?? []
    }

    private mutating func forgetTransition(_ generation: Generation) {
        for (place, running) in transitions where running == generation { transitions[place] = nil }
    }
}

extension ViewLoadState.Ending {
    fileprivate var outcome: ViewLoadStatus {
        switch self {
        case .image: .loaded
        case .failure: .failed
        case .cancelled: .idle
        }
    }
}
