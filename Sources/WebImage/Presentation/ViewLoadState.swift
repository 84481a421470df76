import FoundationEssentials

/// The loads of one view as a pure value: what happened goes in, what the view must do comes out.
///
/// Every load gets a generation, a number that no other load of the view has. Whatever arrives for a generation that is
/// no longer the current one of its key is not shown: that is what keeps a recycled cell free of its former pictures.
package struct ViewLoadState: Sendable {
    /// Tells one load of a view from all its others.
    package typealias Generation = UInt64

    /// What a view must do, in the order given. Showing is to be skipped when the generation is no longer current,
    /// because a completion called in between may have started another load.
    package enum Action: Sendable, Hashable {
        /// Stop the load and tell its completion that it was cancelled.
        case cancel(Generation)
        /// Show the load's placeholder; a load without one shows nothing.
        case showPlaceholder(Generation)
        /// Ask the manager.
        case load(Generation)
        /// Show the picture that has arrived.
        case showImage(Generation)
        /// Tell the load's completion that it has no URL.
        case refuse(Generation)
        /// Tell the load's completion what has arrived.
        case complete(Generation)
    }

    /// How a load ended.
    package enum Ending: Sendable, Hashable {
        /// With a picture.
        case image
        /// Without one.
        case failure
    }

    private struct Load {
        let key: ViewLoadKey
        let url: URL?
        let options: WebImageOptions

        /// Rows of ``ViewLoadState/finish(_:with:)``: a picture is shown unless the app wants to do it; a failure shows
        /// the placeholder only where that was kept back.
        func shows(_ ending: Ending) -> Bool {
            switch ending {
            case .image: !options.contains(.avoidAutoSetImage)
            case .failure: options.contains(.delayPlaceholder)
            }
        }
    }

    private var current: [ViewLoadKey: Generation] = [:]
    private var running: [Generation: Load] = [:]
    private var urls: [ViewLoadKey: URL] = [:]
    private var lastGeneration: Generation = 0
    private var isEnded = false

    /// A view that has loaded nothing.
    package init() {}

    /// The key of the load that was started last.
    package private(set) var latestKey = ViewLoadKey.image

    /// The URL of the latest load under `key`, running or over; nil when that had none.
    package func url(for key: ViewLoadKey) -> URL? { urls[key] }

    /// Whether `generation` is the latest of its key, so that what arrives for it may be shown.
    package func isCurrent(_ generation: Generation) -> Bool { !isEnded && current.values.contains(generation) }

    /// Whether a load under `key` has not ended.
    package func isLoading(_ key: ViewLoadKey) -> Bool {
        current[key].map { running[$0] != nil } ?? false
    }

    /// A new load under `key` replaces the one before it: that is cancelled first, then the placeholder is shown, and
    /// only then does the load start, because it may be answered at once. With
    /// ``WebImageOptions/avoidAutoCancelImage`` the load before it goes on, and what arrives for it is not shown.
    package mutating func begin(
        _ url: URL?, key: ViewLoadKey = .image, options: WebImageOptions = []
    ) -> (generation: Generation, actions: [Action]) {
        var actions = options.contains(.avoidAutoCancelImage) ? [] : stop(key)
        lastGeneration += 1
        let generation = lastGeneration
        guard !isEnded else { return (generation, [.cancel(generation)]) }
        running[generation] = Load(key: key, url: url, options: options)
        current[key] = generation
        urls[key] = url
        latestKey = key
        if !options.contains(.delayPlaceholder) { actions.append(.showPlaceholder(generation)) }
        actions += url == nil ? refuse(generation) : [.load(generation)]
        return (generation, actions)
    }

    /// Whether a picture that a load delivers before its last one is to be shown.
    package func showsUpdate(of generation: Generation) -> Bool {
        guard isCurrent(generation), let load = running[generation] else { return false }
        return load.shows(.image)
    }

    /// A load has ended by itself.
    package mutating func finish(_ generation: Generation, with ending: Ending) -> [Action] {
        guard let load = running.removeValue(forKey: generation) else { return [] }
        guard isCurrent(generation), load.shows(ending) else { return [.complete(generation)] }
        return [ending == .image ? .showImage(generation) : .showPlaceholder(generation), .complete(generation)]
    }

    /// The app wants the load under `key` stopped. What the view shows stays, or becomes the placeholder kept back.
    package mutating func cancel(_ key: ViewLoadKey) -> [Action] {
        guard let generation = current[key], let load = running[generation] else { return [] }
        let cancelling = stop(key)
        return load.shows(.failure) ? [.showPlaceholder(generation)] + cancelling : cancelling
    }

    /// Another load will begin under `key` at once: like ``cancel(_:)``, but what the view shows is left to that.
    ///
    /// A completion that answers a cancellation with another load is overtaken by the load that caused it, if this is
    /// asked for, and done, before ``begin(_:key:options:)``.
    package mutating func stop(_ key: ViewLoadKey) -> [Action] {
        guard let generation = current[key], running.removeValue(forKey: generation) != nil else { return [] }
        return [.cancel(generation)]
    }

    /// The view is gone: all loads are cancelled, and nothing is shown any more.
    package mutating func end() -> [Action] {
        isEnded = true
        defer { running.removeAll() }
        return running.keys.sorted().map { .cancel($0) }
    }

    private mutating func refuse(_ generation: Generation) -> [Action] {
        guard let load = running.removeValue(forKey: generation) else { return [] }
        return load.shows(.failure) ? [.showPlaceholder(generation), .refuse(generation)] : [.refuse(generation)]
    }
}
