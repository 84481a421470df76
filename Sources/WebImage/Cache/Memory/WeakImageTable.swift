/// Weak references to pictures by key: an evicted picture is found again as long as other code holds it.
struct WeakImageTable {
    /// A picture that was found, with its cost and deadline.
    struct Entry {
        let image: Image
        let cost: Int
        let deadline: Int
    }

    private struct Reference {
        weak var image: Image?
        let cost: Int
        let deadline: Int
    }

    private static let smallest = 64
    private var references: [CacheKey: Reference] = [:]
    /// The number of references that starts the next sweep for released pictures.
    private var sweepCount = smallest
    /// The keys that are variants of another key.
    private var variants: [KeyFingerprint: Set<CacheKey>] = [:]

    /// References, including those to released pictures.
    var count: Int { references.count }

    /// The picture under `key` if it is still alive and has not expired.
    func entry(for key: CacheKey, at now: Int) -> Entry? {
        guard let reference = references[key], reference.deadline > now, let image = reference.image else { return nil }
        return Entry(image: image, cost: reference.cost, deadline: reference.deadline)
    }

    /// Adds a picture, and sometimes sweeps references to released pictures.
    ///
    /// - Parameter released: Gets the pictures that a sweep has retained: one may be the last reference by now, and
    ///   must not be freed under the cache's lock.
    mutating func insert(
        _ image: Image, for key: CacheKey, cost: Int, deadline: Int, releasing released: inout [Image]
    ) {
        references[key] = Reference(image: image, cost: cost, deadline: deadline)
        if let family = key.family { variants[family, default: []].insert(key) }
        guard references.count >= sweepCount else { return }
        references = references.filter { _, reference in
            guard let image = reference.image else { return false }
            released.append(image)
            return true
        }
        variants = variants.compactMapValues(known)
        sweepCount = max(Self.smallest, references.count * 2)
    }

    /// Removes a picture and its variants, except those made from `file`.
    ///
    /// - Parameter released: As for ``insert(_:for:cost:deadline:releasing:)``.
    mutating func removeFamily(of key: CacheKey, unlessOf file: FileFingerprint?, releasing released: inout [Image]) {
        for name in (variants[key.fingerprint] ?? []).union([key]) {
            let image = file == nil ? nil : references[name]?.image
            if let image { released.append(image) }
            if file == nil || image?.source != file { references[name] = nil }
        }
        variants[key.fingerprint] = known(variants[key.fingerprint] ?? [])
    }

    mutating func removeExpired(at now: Int) {
        references = references.filter { $0.value.deadline > now }
        variants = variants.compactMapValues(known)
    }

    /// The keys with a reference; nil for none.
    private func known(_ keys: Set<CacheKey>) -> Set<CacheKey>? {
        let rest = keys.filter { references[$0] != nil }
        return rest.isEmpty ? nil : rest
    }
}
