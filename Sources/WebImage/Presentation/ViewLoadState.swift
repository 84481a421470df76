import FoundationEssentials

/// The loads of one view as a pure value: what happened goes in, what the view must do comes out.
///
/// Every load gets a generation, a number that no other load of the view has. Whatever arrives for a generation that is
/// no longer the current one of its key, or no longer the youngest of its place, is not shown: that is what keeps a recycled
/// cell free of its former pictures. The same number tells whether a transition is still that of the load that started it.
package struct ViewLoadState: Sendable {
    private var current: [ViewLoadKey: Generation] = [:]
    /// The youngest load for each place, under whatever key: a place shows what it was bound to last.
    private var youngest: [ViewLoadKey: Generation] = [:]
    /// Which load a key cancels: the current one, unless the app has taken it out.
    private var cancellable: [ViewLoadKey: Generation] = [:]
    private var running: [Generation: Load] = [:]
    /// Loads whose completion waits for the end of their transition.
    private var waiting: [Generation: Load] = [:]
    private var transitions: [ViewLoadKey: Generation] = [:]
    private var urls: [ViewLoadKey: URL] = [:]
    /// The keys under which something was loaded, the latest last.
    private var keys: [ViewLoadKey] = []
    private var latestKeys: [ViewLoadKey: ViewLoadKey] = [:]
    private var lastGeneration: Generation = 0
    private var lastOutcome = ViewLoadStatus.idle
    private var toldStatus = ViewLoadStatus.idle
    private var isEnded = false

    /// A view that has loaded nothing.
    package init() {}

    /// The key of the load that was started last.
    package private(set) var latestKey = ViewLoadKey.image

    /// The key of the load that was started last for `place`.
    package func latestKey(at place: ViewLoadKey) -> ViewLoadKey { latestKeys[place] ?? place }

    /// The URL of the latest load under `key`, running or over; nil when that had none.
    package func url(for key: ViewLoadKey) -> URL? { urls[key] }

    /// Puts another URL in place of the one that is remembered for `key`, or forgets it.
    package mutating func setURL(_ url: URL?, for key: ViewLoadKey) { urls[key] = url }

    /// Whether `generation` is the latest of its key and of its place, so that what arrives for it may be shown.
    package func isCurrent(_ generation: Generation) -> Bool {
        !isEnded && current.values.contains(generation) && youngest.values.contains(generation)
    }

    /// Whether a load under `key` has not ended.
    package func isLoading(_ key: ViewLoadKey) -> Bool { current[key].map { running[$0] != nil } ?? false }

    /// The load that ``cancel(_:)`` would end.
    package func cancellable(_ key: ViewLoadKey) -> Generation? {
        cancellable[key].flatMap { running[$0] != nil || waiting[$0] != nil ? $0 : nil }
    }

    /// What can be said of all loads together.
    package var status: ViewLoadStatus { leading == nil ? lastOutcome : .loading }

    /// The youngest load that runs: the one whose progress an indicator shows.
    package var leading: Generation? { running.lazy.filter { $0.value.url != nil }.map(\.key).max() }

    /// Whether a picture that a load delivers before its last one is to be shown.
    package func showsUpdate(of generation: Generation) -> Bool {
        isCurrent(generation) && running[generation]?.showsPictures == true
    }

    /// Whether the transition at the load's place is still that of `generation`: otherwise none of its closures is called.
    package func runsTransition(_ generation: Generation) -> Bool {
        !isEnded && transitions.values.contains(generation)
    }
}

// MARK: - What happens

extension ViewLoadState {
    /// A new load replaces the one before it under its key: that is cancelled first, then the placeholder is shown, and
    /// only then does the load start, because it may be answered at once. With
    /// ``WebImageOptions/avoidAutoCancelImage`` the load before it goes on, and what arrives for it is not shown.
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

    /// The transition of a load is over, however it ended.
    package mutating func endTransition(_ generation: Generation) -> [Action] {
        forgetTransition(generation)
        return waiting.removeValue(forKey: generation) == nil ? [] : [.complete(generation)]
    }

    /// The app wants the load under `key` stopped. What the view shows stays, or becomes the placeholder kept back.
    package mutating func cancel(_ key: ViewLoadKey) -> [Action] {
        guard let generation = cancellable(key), let load = running[generation] else { return stop(key) }
        let actions = stop(key).filter { $0 != .showPlaceholder(generation) }
        lastOutcome = .idle
        return tellingStatus() + (load.keepsPlaceholderBack ? [.showPlaceholder(generation)] : []) + actions
    }

    /// Another load will begin under `key` at once: like ``cancel(_:)``, but what the view shows, and says of itself, is
    /// left to that. Only a closure of the app's own gets the placeholder kept back even so: it counts on it.
    ///
    /// A completion that answers a cancellation with another load is overtaken by the load that caused it, if this is
    /// asked for, and done, before ``begin(_:)``.
    package mutating func stop(_ key: ViewLoadKey) -> [Action] {
        guard let generation = cancellable[key] else { return [] }
        forgetTransition(generation)
        if waiting.removeValue(forKey: generation) != nil { return [.cancel(generation)] }
        guard let load = running.removeValue(forKey: generation) else { return [] }
        let showsPlaceholder = load.isShownByApp && load.keepsPlaceholderBack
        return showsPlaceholder ? [.showPlaceholder(generation), .cancel(generation)] : [.cancel(generation)]
    }

    /// The app has taken the load under `key` into its own hands: no later one cancels it.
    package mutating func release(_ key: ViewLoadKey) { cancellable[key] = nil }

    /// The view is gone: all loads are cancelled, but for those that the app wants to go on without it, and nothing is shown
    /// any more.
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

    /// How many keys are remembered of which no load runs: an app may name each load after its picture.
    private static let rememberedKeyCount = 16

    private mutating func note(_ key: ViewLoadKey) {
        if keys.last == key { return }
        keys.removeAll { $0 == key }
        keys.append(key)
        guard keys.count > Self.rememberedKeyCount, let old = keys.firstIndex(where: isForgettable) else { return }
        forget(keys.remove(at: old))
    }

    /// Whether nothing runs under `key`, and nothing that is seen came under it.
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

    /// Always before completions are told: one that begins another load must not be followed by an old status.
    private mutating func tellingStatus() -> [Action] {
        defer { toldStatus = status }
        return toldStatus == status ? [] : [.updateStatus]
    }

    /// A new load for a place ends the interest in the transition that runs there, and in nothing else of its load.
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
