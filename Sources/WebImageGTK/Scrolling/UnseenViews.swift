import WebImage

/// The widgets out of sight whose pictures are still there: the few that were seen last, and none when memory is short.
final class UnseenViews {
    /// As large as the pages behind the one that is seen are, they shall not outweigh what the memory cache keeps.
    static let shared = UnseenViews(limit: .init(bytes: MemoryCache.defaultCostLimit / 4))

    /// Of those that cannot let their pictures go, only so many are asked at a time: a list may hide hundreds in a row.
    private static let refusals = 2

    private struct Entry {
        weak var coordinator: Coordinator?
    }

    private var pictures: UnseenPictures<ObjectIdentifier>
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var pressure: MemoryPressureListener?

    init(limit: UnseenPictures<ObjectIdentifier>.Limit) { pictures = UnseenPictures(limit: limit) }

    /// A widget went out of sight, or got a picture there. That, or the pictures of others, may be let go by this.
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

    /// A widget came into sight, or goes.
    func remove(_ coordinator: Coordinator) {
        let id = ObjectIdentifier(coordinator)
        guard entries.removeValue(forKey: id) != nil else { return }
        pictures.remove(id)
    }

    /// Lets all go that can be had again without the network.
    func dropAll() {
        for coordinator in pictures.takeAll().compactMap({ take($0) }) {
            coordinator.loads.upkeep.drop(evenFromMemory: true)
            keep(coordinator)
        }
    }

    /// - Returns: Whether it has pictures.
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
            CompletionPump.shared.push { MainActor.assumeIsolated { self?.dropAll() } }
        }
    }
}
