import FoundationEssentials
import Synchronization
import WebImageCore

/// The running loads that can be joined, by key.
final class SharedLoads: Sendable {
    private let loads = Mutex<[SharedLoadKey: SharedLoad]>([:])
    private let count = Atomic(0)

    subscript(key: SharedLoadKey) -> SharedLoad? { loads.withLock { $0[key] } }

    /// Whether there is none, as far as this thread knows: hashing a URL takes time.
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Adds `operation` to the running load of `key`, or to the one that `make` returns, which then starts.
    func join(_ operation: LoadOperation, _ key: SharedLoadKey, orStart make: () -> SharedLoad) {
        while true {
            let (load, isNew) = find(key, make)
            guard load.join(operation) else {
                remove(load)
                continue
            }
            if isNew { load.start(inMemory: nil) }
            return
        }
    }

    /// Removes `load`, so that no other load can join it.
    func remove(_ load: SharedLoad) {
        guard let key = load.key else { return }
        // A load may retain objects of the app: it is released outside the lock.
        let removed = loads.withLock { loads in
            defer { count.store(loads.count, ordering: .relaxed) }
            guard let index = loads.index(forKey: key), loads.values[index] === load else { return nil as SharedLoad? }
            return loads.remove(at: index).value
        }
        withExtendedLifetime(removed) {}
    }

    private func find(_ key: SharedLoadKey, _ make: () -> SharedLoad) -> (load: SharedLoad, isNew: Bool) {
        if let load = self[key] { return (load, false) }
        let load = make()
        return loads.withLock { loads in
            if let other = loads[key] { return (other, false) }
            loads[key] = load
            count.store(loads.count, ordering: .relaxed)
            return (load, true)
        }
    }
}

/// Requests with equal keys are the same. Means something only as long as the settings live.
// A class: it goes through many hands, and holds a handful of references.
final class SharedLoadKey: Hashable, Sendable {
    private let url: URL
    private let requestedURL: URL?
    private let options: WebImageOptions
    private let context: WebImageContext.Identity
    private let settings: ObjectIdentifier
    /// Computed once: hashing a URL takes time.
    private let hash: Int

    /// nil for a load that is not shared: one that refreshes a picture, that blocks its caller, or about which a
    /// delegate decides.
    init?(_ request: ImageRequest, requestedURL: URL?, settings: LoadSettings) {
        guard let url = request.url?.withoutFragment, !settings.hasDelegate,
            request.options.isDisjoint(with: [.refreshCached, .queryDiskDataSync, .queryMemoryDataSync])
        else { return nil }
        self.url = url
        self.requestedURL = requestedURL
        options = request.options
        context = request.context.identity
        self.settings = ObjectIdentifier(settings)
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(options)
        hasher.combine(context)
        hash = hasher.finalize()
    }

    static func == (lhs: SharedLoadKey, rhs: SharedLoadKey) -> Bool {
        lhs === rhs
            || lhs.url == rhs.url && lhs.requestedURL == rhs.requestedURL && lhs.options == rhs.options
                && lhs.settings == rhs.settings && lhs.context == rhs.context
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
