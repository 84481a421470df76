import FoundationEssentials
import WebImageCore

/// The loads of one view as a pure state machine: takes events, returns the view's actions.
///
/// Every load has a generation, a number that is unique in the view. Results for a generation that is no longer the
/// current one of its key, or no longer the youngest of its place, are not shown: this keeps former pictures out of a
/// recycled cell. The generation also tells whether a transition still belongs to the load that started it.
package struct ViewLoadState: Sendable {
    /// Loads in the order in which they began: those that go on, and of those that have ended the latest of each key and
    /// the latest of each place. A place shows its latest load, under any key.
    private var entries: [Entry] = []
    private var lastGeneration: Generation = 0
    private var lastOutcome = ViewLoadStatus.idle
    private var toldStatus = ViewLoadStatus.idle
    private var isEnded = false

    private struct Entry {
        let generation: Generation
        let load: Load
        /// That of the load, unless the app has replaced it.
        var url: URL?
        var phase = Phase.running
        /// Whether the app has detached it: later loads do not cancel it.
        var isReleased = false

        /// Whether its completion was not called yet.
        var goesOn: Bool { phase == .running || phase == .waiting }
        /// Whether the transition at the load's place is that of this load.
        var isInTransition: Bool { phase == .waiting || phase == .inTransition }
    }

    private enum Phase {
        case running
        /// The completion waits for the end of the transition.
        case waiting
        case inTransition
        case ended
    }

    /// A view without loads.
    package init() {}

    /// The key of the latest load.
    package private(set) var latestKey = ViewLoadKey.image

    /// The key of the latest load for `place`.
    package func latestKey(at place: ViewLoadKey) -> ViewLoadKey { latest(at: place)?.load.key ?? place }

    /// The URL of the latest load under `key`, running or ended; nil when that had none.
    package func url(for key: ViewLoadKey) -> URL? { latest(under: key)?.url }

    /// Replaces the URL that is stored for `key`; nil removes it.
    package mutating func setURL(_ url: URL?, for key: ViewLoadKey) {
        guard let index = entries.lastIndex(where: { $0.load.key == key }) else {
            // It is older than all loads, and has ended before it began.
            return entries.insert(Entry(generation: 0, load: Load(url, key: key), url: url, phase: .ended), at: 0)
        }
        entries[index].url = url
    }

    /// Whether `generation` is the latest of its key and of its place, so that its results may be shown.
    package func isCurrent(_ generation: Generation) -> Bool { currentEntry(generation) != nil }

    /// Whether a load under `key` is running.
    package func isLoading(_ key: ViewLoadKey) -> Bool { latest(under: key)?.phase == .running }

    /// The load that ``cancel(_:)`` would cancel.
    package func cancellable(_ key: ViewLoadKey) -> Generation? {
        latest(under: key).flatMap { $0.goesOn && !$0.isReleased ? $0.generation : nil }
    }

    /// The common status of all loads.
    package var status: ViewLoadStatus { leading == nil ? lastOutcome : .loading }

    /// The youngest running load: the one whose progress an indicator shows.
    package var leading: Generation? { entries.last { $0.phase == .running }?.generation }

    /// Whether to show a preliminary picture of a load.
    package func showsUpdate(of generation: Generation) -> Bool {
        currentEntry(generation).map { $0.phase == .running && $0.load.showsPictures } ?? false
    }

    /// Whether a load is running whose placeholder the view may show.
    package func awaitsPicture(of generation: Generation) -> Bool { currentEntry(generation)?.phase == .running }

    /// Whether the transition at the load's place still belongs to `generation`: otherwise none of its closures is
    /// called.
    package func runsTransition(_ generation: Generation) -> Bool {
        entries.contains { $0.generation == generation && $0.isInTransition }
    }

    private func latest(under key: ViewLoadKey) -> Entry? { entries.last { $0.load.key == key } }

    private func latest(at place: ViewLoadKey) -> Entry? { entries.last { $0.load.place == place } }

    private func index(of generation: Generation) -> Int? { entries.lastIndex { $0.generation == generation } }

    private func currentEntry(_ generation: Generation) -> Entry? {
        guard !isEnded, let index = index(of: generation) else { return nil }
        let load = entries[index].load
        let isOld = entries[(index + 1)...].contains { $0.load.key == load.key || $0.load.place == load.place }
        return isOld ? nil : entries[index]
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
        entries.append(Entry(generation: generation, load: load, url: load.url))
        latestKey = load.key
        forgetOldEntries()
        if !load.keepsPlaceholderBack { actions.append(.showPlaceholder(generation)) }
        actions += load.hasSource ? tellingStatus() + [.load(generation)] : refuse(generation)
        return (generation, actions)
    }

    /// A load has ended by itself.
    ///
    /// - Parameter hasTransition: Whether the view has a transition.
    package mutating func finish(
        _ generation: Generation, with ending: Ending, hasTransition: Bool = false
    ) -> [Action] {
        guard let index = index(of: generation), entries[index].phase == .running else { return [] }
        let load = entries[index].load
        entries[index].phase = .ended
        guard isCurrent(generation) else { return tellingStatus() + [.complete(generation)] }
        lastOutcome = ending.outcome
        let showing = load.showing(ending, of: generation, hasTransition: hasTransition)
        var actions = tellingStatus()
        if let showing { actions.append(showing) }
        if showing == .transition(generation) {
            entries[index].phase = load.options.contains(.waitTransition) ? .waiting : .inTransition
            if entries[index].goesOn { return actions }
        }
        return actions + [.complete(generation)]
    }

    /// The transition of a load is over, finished or interrupted.
    package mutating func endTransition(_ generation: Generation) -> [Action] {
        guard let index = index(of: generation), entries[index].isInTransition else { return [] }
        defer { entries[index].phase = .ended }
        return entries[index].goesOn ? [.complete(generation)] : []
    }

    /// The app cancels the load under `key`. The view keeps its content, or shows the deferred placeholder.
    package mutating func cancel(_ key: ViewLoadKey) -> [Action] {
        guard let generation = cancellable(key), let entry = latest(under: key), entry.phase == .running else {
            return stop(key)
        }
        let actions = stop(key).filter { $0 != .showPlaceholder(generation) }
        lastOutcome = .idle
        return tellingStatus() + (entry.load.keepsPlaceholderBack ? [.showPlaceholder(generation)] : []) + actions
    }

    /// Another load will begin under `key` at once: as ``cancel(_:)``, but the new load decides on the content and the
    /// status of the view. Only a closure of the app's still gets a deferred placeholder, because it relies on one.
    ///
    /// When a completion answers a cancellation with another load, the load that caused the cancellation wins, provided
    /// that this is called, and its actions are performed, before ``begin(_:)``.
    package mutating func stop(_ key: ViewLoadKey) -> [Action] {
        guard let index = entries.lastIndex(where: { $0.load.key == key }), !entries[index].isReleased else {
            return []
        }
        let (entry, generation) = (entries[index], entries[index].generation)
        entries[index].phase = .ended
        guard entry.goesOn else { return [] }
        let showsPlaceholder = entry.phase == .running && entry.load.isShownByApp && entry.load.keepsPlaceholderBack
        return showsPlaceholder ? [.showPlaceholder(generation), .cancel(generation)] : [.cancel(generation)]
    }

    /// The app has detached the load under `key`: later loads do not cancel it.
    package mutating func release(_ key: ViewLoadKey) {
        if let index = entries.lastIndex(where: { $0.load.key == key }) { entries[index].isReleased = true }
    }

    /// The view is gone: all loads are cancelled, except those that continue without it, and nothing is shown any more.
    package mutating func end() -> [Action] {
        isEnded = true
        defer { for index in entries.indices { entries[index].phase = .ended } }
        return entries.filter(\.goesOn).map { entry in
            let goesOn = entry.phase == .running && entry.load.options.contains(.continueInBackground)
            return goesOn ? .leave(entry.generation) : .cancel(entry.generation)
        }
    }

    /// The number of loads that are remembered, as far as they have ended: an app may name each load after its picture.
    private static let rememberedCount = 16

    private mutating func forgetOldEntries() {
        entries = entries.filter { entry in
            entry.phase != .ended || latest(under: entry.load.key)?.generation == entry.generation
                || latest(at: entry.load.place)?.generation == entry.generation
        }
        guard entries.count > Self.rememberedCount else { return }
        let old = entries.firstIndex { $0.phase == .ended && latest(at: $0.load.place)?.generation != $0.generation }
        if let old { entries.remove(at: old) }
    }

    private mutating func refuse(_ generation: Generation) -> [Action] {
        guard let index = index(of: generation) else { return [] }
        entries[index].phase = .ended
        lastOutcome = .idle
        let showing = entries[index].load.showing(.failure, of: generation, hasTransition: false)
        return tellingStatus() + (showing.map { [$0] } ?? []) + [.refuse(generation)]
    }

    /// Before completions are called: one that begins another load must not be followed by an old status.
    private mutating func tellingStatus() -> [Action] {
        defer { toldStatus = status }
        return toldStatus == status ? [] : [.updateStatus]
    }

    /// A new load for a place ends only the transition that runs there, not that transition's load.
    private mutating func overtakeTransition(at place: ViewLoadKey) -> [Action] {
        let running = entries.last { $0.load.place == place && $0.isInTransition }
        return running.map { endTransition($0.generation) } ?? []
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
