/// Pictures by key that others hold: what went from the cache is found again for as long as somebody still shows it.
struct WeakImageTable {
    /// A picture that is found, with what it was stored at.
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
    /// At how many references those to pictures that are gone are looked for.
    private var sweepCount = smallest
    /// The keys that are variants of another one.
    private var variants: [KeyFingerprint: Set<CacheKey>] = [:]

    /// References, also to pictures that are gone.
    var count: Int { references.count }

    /// The picture under `key` if it is still alive and has not expired.
    func entry(for key: CacheKey, at now: Int) -> Entry? {
        guard let reference = references[key], reference.deadline > now, let image = reference.image else { return nil }
        return Entry(image: image, cost: reference.cost, deadline: reference.deadline)
    }

    /// Adds a picture, and now and then drops the references to those that are gone.
    ///
    /// - Parameter released: Gets what was looked at: this may be the last to hold it by now, and it must not be freed
    ///   under the cache's lock.
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

    /// Forgets a picture and its variants, but for those that were made of a file.
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

    /// Those keys that there are references by; nil for none.
    private func known(_ keys: Set<CacheKey>) -> Set<CacheKey>? {
        let rest = keys.filter { references[$0] != nil }
        return rest.isEmpty ? nil : rest
    }
}
