import WebImageCore

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
    private var references: [KeyFingerprint: Reference] = [:]
    /// The number of references that starts the next sweep for released pictures.
    private var sweepCount = smallest
    /// Pictures that were decoded in another way.
    private var variants: [KeyFingerprint: Set<KeyFingerprint>] = [:]
    /// Thumbnails and transformed pictures.
    private var derived: [KeyFingerprint: Set<KeyFingerprint>] = [:]

    /// References, including those to released pictures.
    var count: Int { references.count }

    /// The picture under `key` if it is still alive and has not expired.
    func entry(for key: CacheKey, at now: Int) -> Entry? {
        guard let reference = references[key.fingerprint], reference.deadline > now, let image = reference.image else {
            return nil
        }
        return Entry(image: image, cost: reference.cost, deadline: reference.deadline)
    }

    /// Adds a picture, and sometimes sweeps references to released pictures.
    ///
    /// - Parameter released: Gets the pictures that a sweep has retained: one may be the last reference by now, and
    ///   must not be freed under the cache's lock.
    mutating func insert(
        _ image: Image, for key: CacheKey, cost: Int, deadline: Int, releasing released: inout [Image]
    ) {
        references[key.fingerprint] = Reference(image: image, cost: cost, deadline: deadline)
        if let family = key.variantFamily { variants[family, default: []].insert(key.fingerprint) }
        if let family = key.derivedFamily { derived[family, default: []].insert(key.fingerprint) }
        guard references.count >= sweepCount else { return }
        references = references.filter { _, reference in
            guard let image = reference.image else { return false }
            released.append(image)
            return true
        }
        forgetFamilies()
        sweepCount = max(Self.smallest, references.count * 2)
    }

    /// Removes a picture and its variants, and, unless `alone`, what was made from it.
    mutating func remove(_ key: CacheKey, alone: Bool) {
        for member in members(of: key.fingerprint, alone: alone) { references[member] = nil }
        forgetFamily(of: key.fingerprint)
    }

    /// Removes of a picture, its variants, and what was made from it, those of a file that is older.
    ///
    /// - Parameter released: As for ``insert(_:for:cost:deadline:releasing:)``.
    mutating func removeFamily(
        of picture: KeyFingerprint, releasing released: inout [Image], where isOlder: (FileFingerprint?) -> Bool
    ) {
        guard !references.isEmpty else { return }
        for member in members(of: picture, alone: false) {
            let image = references[member]?.image
            if let image { released.append(image) }
            if isOlder(image?.source) { references[member] = nil }
        }
        forgetFamily(of: picture)
    }

    mutating func removeExpired(at now: Int) {
        references = references.filter { $0.value.deadline > now }
        forgetFamilies()
    }

    private func members(of picture: KeyFingerprint, alone: Bool) -> Set<KeyFingerprint> {
        let itself = (variants[picture] ?? []).union([picture])
        return alone ? itself : itself.union(derived[picture] ?? [])
    }

    // MARK: Families

    private mutating func forgetFamilies() {
        variants = variants.compactMapValues(known)
        derived = derived.compactMapValues(known)
    }

    private mutating func forgetFamily(of picture: KeyFingerprint) {
        variants[picture] = variants[picture].flatMap(known)
        derived[picture] = derived[picture].flatMap(known)
    }

    /// The pictures with a reference; nil for none.
    private func known(_ pictures: Set<KeyFingerprint>) -> Set<KeyFingerprint>? {
        let rest = pictures.filter { references[$0] != nil }
        return rest.isEmpty ? nil : rest
    }
}
