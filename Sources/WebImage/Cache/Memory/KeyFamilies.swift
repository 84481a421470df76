/// The variants of each picture in a memory cache: removing or replacing a picture by its own key affects all its
/// decoded variants.
struct KeyFamilies {
    private var slots: [KeyFingerprint: [Int]] = [:]
    private var families: [Int: KeyFingerprint] = [:]

    /// Notes an entry, if its key is a variant's.
    mutating func insert(_ slot: Int, of key: CacheKey) {
        guard let family = key.family else { return }
        families[slot] = family
        slots[family, default: []].append(slot)
    }

    /// Notes that a slot is empty.
    mutating func remove(_ slot: Int) {
        guard !families.isEmpty, let family = families.removeValue(forKey: slot) else { return }
        slots[family]?.removeAll { $0 == slot }
        if slots[family]?.isEmpty == true { slots[family] = nil }
    }

    /// The entries that are variants of the picture under `key`.
    func slots(of key: CacheKey) -> [Int] { families.isEmpty ? [] : slots[key.fingerprint] ?? [] }
}
