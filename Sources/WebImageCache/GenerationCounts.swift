import WebImageCore

/// Numbers the changes of any number of keys in little space: it forgets the older half of many thousand changes, and all keys
/// count as changed then. So loads that run at that time keep their pictures out of the caches once.
struct GenerationCounts: Sendable {
    private var last = 0
    private var clearing = 0
    private var changes: [KeyFingerprint: Int] = [:]
    private static let most = 8192

    mutating func addClearing() {
        last += 1
        clearing = last
        changes = [:]
    }

    mutating func add(_ key: CacheKey) {
        last += 1
        changes[key.fingerprint] = last
        guard changes.count > Self.most else { return }
        // Keys whose changes are forgotten count as changed then: no load restores them.
        clearing = max(clearing, last - Self.most / 2)
        changes = changes.filter { $0.value > clearing }
    }

    /// The number of the last change of any of `keys`.
    func generation(of keys: [CacheKey]) -> Int { keys.reduce(clearing) { max($0, changes[$1.fingerprint] ?? 0) } }
}
