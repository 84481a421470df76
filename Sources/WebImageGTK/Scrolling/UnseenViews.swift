import WebImage

/// The invisible widgets that still hold pictures: the few that were visible last, and none when memory is short.
final class UnseenViews {
    /// Pictures of invisible pages must not outweigh the memory cache, however large they are.
    static let shared = UnseenViews(limit: .init(bytes: MemoryCache.defaultCostLimit / 4))

    /// The number of widgets asked at a time that cannot release their pictures: a list may hide hundreds in a row.
    private static let refusals = 2

    private struct Entry {
        weak var coordinator: Coordinator?
    }

    private var pictures: UnseenPictures<ObjectIdentifier>
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var pressure: MemoryPressureListener?

    init(limit: UnseenPictures<ObjectIdentifier>.Limit) { pictures = UnseenPictures(limit: limit) }

    /// Adds a widget that became invisible or got a picture while invisible. May release its pictures or those of
    /// others.
    func hide(_ coordinator: Coordinator) {
        guard keep(coordinator) else { return }
        listen()
        var refusals = 0
        while refusals < Self.refusals, let id = pictures.takeExcess() {
            guard let oldest = take(id) else { continue }
            oldest.loads.upkeep.drop()
            if keep(oldest) { refusals += 1 }
        }
    }

    /// Removes a widget that became visible or is being destroyed.
    func remove(_ coordinator: Coordinator) {
        let id = ObjectIdentifier(coordinator)
        guard entries.removeValue(forKey: id) != nil else { return }
        pictures.remove(id)
    }

    /// Releases all pictures that can be had again without the network.
    func dropAll() {
        for coordinator in pictures.takeAll().compactMap({ take($0) }) {
            coordinator.loads.upkeep.drop(evenFromMemory: true)
            keep(coordinator)
        }
    }

    /// - Returns: Whether it holds pictures.
    @discardableResult
    private func keep(_ coordinator: Coordinator) -> Bool {
        let upkeep = coordinator.loads.upkeep
        guard upkeep.hasPictures else { return false }
        let id = ObjectIdentifier(coordinator)
        entries[id] = Entry(coordinator: coordinator)
        pictures.hide(id, bytes: upkeep.byteCount)
        return true
    }

    private func take(_ id: ObjectIdentifier) -> Coordinator? { entries.removeValue(forKey: id)?.coordinator }

    private func listen() {
        guard pressure == nil else { return }
        pressure = MemoryPressureListener { [weak self] _ in
            CompletionPump.shared.push {
                MainActor.assumeIsolated { self?.dropAll() }
                MemoryPressure.shared.memoryWasFreed()
            }
        }
    }
}
