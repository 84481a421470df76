import WebImageCore
import WebImageLoading

/// Loads the originals of the thumbnails that are visible into memory, and once these have been scrolled, the files of those
/// around them, as far as a list loads its own pictures; at low priority.
///
/// An original is as large as the screen: memory has it only as long as its thumbnail can be clicked.
@MainActor
package final class OriginalPrefetcher {
    /// A photo and the pixels of its page.
    package typealias Original = (photo: Photo, pixels: PixelSize)

    private struct Load {
        let token: PrefetchToken
        let manager: WebImageManager
        let request: ImageRequest
        /// Tells the loads of one index apart.
        let number: Int
        var place: Place
    }

    /// The place of a picture: memory, the disk, or on the way there.
    private enum Place {
        /// Memory does not have it, and is not asked to.
        case disk
        case onItsWayToMemory
        case memory
        /// It has not come. A load that was refused for want of a network may succeed with one.
        case nowhere(wasOffline: Bool)
    }

    private let original: (Int) -> Original?
    private var prefetchers: [ObjectIdentifier: [PrefetchDestination: WebImagePrefetcher]] = [:]
    private var loads: [Int: Load] = [:]
    private var lastNumber = 0
    private var plan = ListPrefetchPlan(window: LoadWindow())
    private var visible: Range<Int>?
    /// Each scroll asks for all that is visible, but the app is asked once.
    private var withoutOriginal: Set<Int> = []
    /// The visible thumbnails of the latest call, and the number of all.
    private var shown: (range: Range<Int>, itemCount: Int)?

    /// Whether the thumbnails are covered, so that none can be clicked: loads that run go on, no others begin, and memory lets
    /// go of what has come.
    package var isResting = false {
        didSet { if isResting != oldValue { isResting ? rest() : wake() } }
    }

    /// Whether pictures are on their way to memory.
    package var hasRunningLoads: Bool {
        loads.values.contains { if case .onItsWayToMemory = $0.place { true } else { false } }
    }

    /// - Parameter original: The original of an index; nil where there is none.
    package init(_ original: @escaping (Int) -> Original?) { self.original = original }

    isolated deinit { stop() }

    /// Takes the visible thumbnails, whose originals come first; what is not near them any more is cancelled.
    package func show(_ range: Range<Int>, itemCount: Int) {
        guard !range.isEmpty else { return stop() }
        shown = (range, itemCount)
        guard !isResting else { return }
        let near = near(range, itemCount)
        for index in loads.keys where !range.contains(index) {
            forgetPicture(of: index)
            if !plan.near.contains(index) { loads.removeValue(forKey: index)?.token.cancel() }
        }
        for index in range where isMissing(index) { load(index, to: .memory) }
        // In memory, all that is near would take the place of what is visible.
        for index in near where loads[index] == nil { load(index, to: .disk) }
    }

    private func isMissing(_ index: Int) -> Bool {
        guard let load = loads[index] else { return true }
        return switch load.place {
        case .disk: true
        case .onItsWayToMemory, .memory: false
        case .nowhere(let wasOffline): wasOffline && !load.manager.isOffline
        }
    }

    private func near(_ range: Range<Int>, _ itemCount: Int) -> [Int] {
        defer { visible = range }
        guard let visible, visible != range else { return [] }
        return plan.show(range, itemCount: itemCount).started
    }

    private func load(_ index: Int, to destination: PrefetchDestination) {
        guard !withoutOriginal.contains(index) else { return }
        guard let original = original(index), let request = original.photo.request(covering: original.pixels) else {
            withoutOriginal.insert(index)
            return
        }
        let prefetcher = prefetcher(of: original.photo.context.manager ?? .shared, destination)
        // The former one goes on until the new one has its file, which may have to wait.
        let former = loads[index]?.token
        lastNumber += 1
        let token = prefetcher.prefetch(
            [request], progress: nil,
            completed: { [weak self, number = lastNumber] _, skippedCount in
                former?.cancel()
                Task { @MainActor in self?.end(number, of: index, hasFailed: skippedCount > 0) }
            })
        loads[index] = Load(
            token: token, manager: prefetcher.manager, request: request, number: lastNumber,
            place: destination == .memory ? .onItsWayToMemory : .disk)
    }

    private func end(_ number: Int, of index: Int, hasFailed: Bool) {
        guard let load = loads[index], load.number == number, case .onItsWayToMemory = load.place else { return }
        loads[index]?.place = hasFailed ? .nowhere(wasOffline: load.manager.isOffline) : .memory
        if isResting || shown?.range.contains(index) != true { forgetPicture(of: index) }
    }

    /// Photos are loaded by their own managers, as on their pages.
    private func prefetcher(of manager: WebImageManager, _ destination: PrefetchDestination) -> WebImagePrefetcher {
        if let known = prefetchers[ObjectIdentifier(manager)]?[destination] { return known }
        let made = WebImagePrefetcher(manager: manager)
        made.destination = destination
        // Visible pictures come first.
        if destination == .disk { made.maxConcurrentPrefetchCount = 1 }
        prefetchers[ObjectIdentifier(manager), default: [:]][destination] = made
        return made
    }

    private func rest() {
        setPaused(true)
        for index in loads.keys { forgetPicture(of: index) }
    }

    private func wake() {
        setPaused(false)
        if let shown { show(shown.range, itemCount: shown.itemCount) }
    }

    private func setPaused(_ isPaused: Bool) {
        for prefetcher in prefetchers.values.flatMap(\.values) { prefetcher.isPaused = isPaused }
    }

    private func forgetPicture(of index: Int) {
        guard let load = loads[index] else { return }
        switch load.place {
        case .disk: return
        case .onItsWayToMemory: guard load.manager.removeFromMemory(load.request) else { return }
        // Memory may have dropped it by itself.
        case .memory: _ = load.manager.removeFromMemory(load.request)
        case .nowhere: break
        }
        loads[index]?.place = .disk
    }

    /// Cancels all, and lets go of what has come.
    package func stop() {
        for (index, load) in loads {
            load.token.cancel()
            forgetPicture(of: index)
        }
        loads = [:]
        shown = nil
        _ = plan.hide()
        visible = nil
    }
}
