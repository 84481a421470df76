import WebImageCore

/// The entries of a memory cache by the picture that they belong to: removing or replacing that affects all of them.
struct KeyFamilies {
    private var slots: [KeyFingerprint: [Int]] = [:]
    private var families: [Int: KeyFingerprint] = [:]

    /// Notes an entry of a family; does nothing for nil.
    mutating func insert(_ slot: Int, of family: KeyFingerprint?) {
        guard let family else { return }
        families[slot] = family
        slots[family, default: []].append(slot)
    }

    /// Notes that a slot is empty.
    mutating func remove(_ slot: Int) {
        guard !families.isEmpty, let family = families.removeValue(forKey: slot) else { return }
        slots[family]?.removeAll { $0 == slot }
        if slots[family]?.isEmpty == true { slots[family] = nil }
    }

    /// The entries of a family.
    func slots(of family: KeyFingerprint) -> [Int] { families.isEmpty ? [] : slots[family] ?? [] }
}
