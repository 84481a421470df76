import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage cache show` and `remove`: entries by their names.
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

    /// - Returns: Whether it is there.
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

    /// - Returns: Whether all were there and are gone.
    func remove(_ names: [String], by teller: CacheTeller) -> Bool {
        var isDone = true
        for name in names where !Task.isCancelled {
            do throws(WebImageError) {
                let entry = try find(name)
                try cache.remove(for: entry.key)
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

    /// By key, or else by the name of a file, with its directory or without.
    private func find(_ name: String) throws(WebImageError) -> DiskCacheEntrySummary {
        if let entry = try cache.summary(for: CacheKey(name)) { return entry }
        let fileName = name.split(separator: "/").last.map(String.init) ?? ""
        if let entry = try cache.summary(ofFile: fileName) { return entry }
        throw WebImageError(
            .notCached, stage: .disk, kind: .permanent,
            reason: "not in the cache; webimage cache list shows what is, and an address counts by every letter")
    }

    /// What the picture's file, which ends that of the entry, says; nil when it is no picture.
    private func properties(of entry: DiskCacheEntrySummary) -> ImageProperties? {
        guard let file = try? Data(contentsOf: URL(filePath: entry.path)) else { return nil }
        return try? ImageCodersManager.shared.properties(of: Data(file.suffix(entry.byteCount)), isComplete: true)
    }

    private func tell(_ error: WebImageError, _ name: String, by teller: CacheTeller) {
        teller.tell(Failure(key: name, error: ErrorRecord(error)), error: "\(name.printable): \(error.reason)")
    }
}
