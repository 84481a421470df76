import FoundationEssentials
import WebImageCore

/// A change of what a cache has beyond memory.
enum CacheChange: Sendable {
    case store(DiskCacheEntry, CacheKey)
    /// Stores what a farther tier had, where the disk has nothing, and in so many of the nearer tiers.
    case fill(DiskCacheEntry, CacheKey, tiers: Int)
    /// Removes an entry alone.
    case remove(CacheKey)
    /// Removes what was made from a picture.
    ///
    /// - Parameter file: The fingerprint of its file now: what was made of that stays, and an original of another file goes,
    ///   too. nil for a picture that is removed.
    case removeDerived(CacheKey, unlessOf: String?)
    case removeAll

    /// The bytes that it stores; nil for a removal.
    private var storedData: Data? {
        switch self {
        case .store(let entry, _), .fill(let entry, _, _): entry.data
        case .remove, .removeDerived, .removeAll: nil
        }
    }

    var isStore: Bool { storedData != nil }

    var isFill: Bool { if case .fill = self { true } else { false } }

    /// Bytes that stay in memory until it is made.
    var byteCount: Int { storedData?.count ?? 0 }
}

extension DiskCaching {
    /// Makes a change of a disk tier. Blocks.
    func make(_ change: CacheChange) throws(WebImageError) {
        switch change {
        case .store(let entry, let key): try write(entry, for: key)
        // It may be older than what was made from the picture here.
        case .fill(let entry, let key, _): try store(entry, for: key)
        case .remove(let key): try remove(for: key)
        case .removeDerived(let original, let file):
            if let file, let old = fileFingerprint(for: original), old != file { try? remove(for: original) }
            try removeDerived(from: original, unlessOf: file)
        case .removeAll: try removeAll()
        }
    }

    /// Writes an entry, and removes what was made from other files than it or its original.
    private func write(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError) {
        try store(entry, for: key)
        guard !key.isPartialBody else { return }
        if !key.isDerived {
            try? removeDerived(from: key, unlessOf: entry.textOfFingerprint)
        } else if let file = entry.fileFingerprint, fileFingerprint(for: key.original) == nil {
            // If the original is stored, readers compare the fingerprints.
            try? removeDerived(from: key.original, unlessOf: file)
        }
    }
}
