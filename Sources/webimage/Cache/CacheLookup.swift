import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage cache show` and `remove`: entries by name.
struct CacheLookup {
    private let cache: DiskCache

    init(_ cache: DiskCache) { self.cache = cache }

    private struct Failure: Encodable {
        let key: String
        let error: ErrorRecord
    }

    private struct Removal: Encodable {
        let key: String
        let bytes: Int
    }

    /// - Returns: Whether it exists.
    func show(_ name: String, by teller: CacheTeller) throws(WebImageError) -> Bool {
        do throws(WebImageError) {
            let entry = try find(name)
            let record = CacheEntryRecord(entry, properties: properties(of: entry))
            teller.tell(record) { record.text }
            return true
        } catch {
            tell(error, name, by: teller)
            return false
        }
    }

    /// - Returns: Whether all existed and were removed.
    func remove(_ names: [String], by teller: CacheTeller) -> Bool {
        var isDone = true
        for name in names where !Task.isCancelled {
            do throws(WebImageError) {
                let entry = try find(name)
                try cache.remove(for: entry.key)
                if entry.key.original == entry.key { try cache.removeDerived(from: entry.key, unlessOf: nil) }
                teller.tell(Removal(key: entry.key.string, bytes: entry.byteCount)) {
                    "\(entry.key.string.printable): removed \(Quantity.bytes(entry.byteCount))"
                }
            } catch {
                tell(error, name, by: teller)
                isDone = false
            }
        }
        return isDone
    }

    /// Finds an entry by key, or else the beginning of a file that is to have it, or else an entry by the name of its file,
    /// with or without the directory.
    private func find(_ name: String) throws(WebImageError) -> DiskCacheEntrySummary {
        for key in [CacheKey(name), CacheKey(name).partialBody] {
            if let entry = try cache.summary(for: key) { return entry }
        }
        let fileName = name.split(separator: "/").last.map(String.init) ?? ""
        if let entry = try cache.summary(ofFile: fileName) { return entry }
        if let entry = try findDerived(CacheKey(name)) { return entry }
        throw WebImageError(
            .notCached, stage: .disk, kind: .permanent,
            reason: "not in the cache; webimage cache list shows what is, and an address counts by every letter")
    }

    /// The entry of a thumbnail or a transformed picture: the text of such a key does not tell the name of its file.
    private func findDerived(_ key: CacheKey) throws(WebImageError) -> DiskCacheEntrySummary? {
        var found: DiskCacheEntrySummary?
        try cache.forEachEntry { entry in
            if entry.key == key { found = entry }
            return found == nil
        }
        return found
    }

    /// The properties of the picture's file, which is the end of the entry's file; nil when it is no picture.
    private func properties(of entry: DiskCacheEntrySummary) -> ImageProperties? {
        guard let file = try? POSIXFileSystem().read(entry.path, limit: entry.fileByteCount) else { return nil }
        let body = file.data(in: file.count - min(file.count, entry.byteCount)..<file.count)
        return try? ImageCodersManager.shared.properties(of: body, isComplete: true)
    }

    private func tell(_ error: WebImageError, _ name: String, by teller: CacheTeller) {
        let name = name.addressWithoutPassword
        teller.tell(Failure(key: name, error: ErrorRecord(error)), error: "\(name.printable): \(error.reason)")
    }
}
