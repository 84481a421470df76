import WebImage

/// The widgets out of sight whose pictures are still there: the few that were seen last.
final class UnseenViews {
    static let shared = UnseenViews()

    private struct Entry {
        weak var coordinator: Coordinator?
    }

    private var pictures: UnseenPictures<ObjectIdentifier>
    private var entries: [ObjectIdentifier: Entry] = [:]

    init(limit: Int = 24) { pictures = UnseenPictures(limit: limit) }

    /// A widget went out of sight, or got a picture there. That, or the picture of another, may be let go by this.
    func hide(_ coordinator: Coordinator) {
        guard coordinator.loads.upkeep.hasPictures else { return }
        let id = ObjectIdentifier(coordinator)
        entries[id] = Entry(coordinator: coordinator)
        guard let dropped = pictures.hide(id) else { return }
        entries.removeValue(forKey: dropped)?.coordinator?.loads.upkeep.drop()
    }

    /// A widget came into sight, or goes.
    func remove(_ coordinator: Coordinator) {
        let id = ObjectIdentifier(coordinator)
        guard entries.removeValue(forKey: id) != nil else { return }
        pictures.remove(id)
    }
}
