import FoundationEssentials
import WebImageCache
import WebImageCore

/// Stores, overwrites, reads, removes and evicts at random, deterministically for a seed. Each body follows from its
/// key and the version at its beginning, so that a reader can tell whether it is complete and correct.
package struct CacheHammer {
    /// A body was read that was never stored.
    package struct WrongBytes: Error {
        package let key: Int
    }

    private let cache: DiskCache
    private let keyCount: Int
    private var generator: SeededGenerator

    /// A hammer on the entries "0" to "`keyCount` − 1" of a directory; half of them are evicted now and then.
    package init(directory: String, keyCount: Int = 40, seed: UInt64) {
        var config = ImageCacheConfig()
        config.maxDiskCount = keyCount / 2
        cache = DiskCache(directory: directory, config: config)
        self.keyCount = keyCount
        generator = SeededGenerator(seed: seed)
    }

    /// Performs this number of operations, and calls `step` after each. Ignores operations that the disk refuses.
    package mutating func run(operations: Int, step: () -> Void = {}) throws {
        for _ in 0..<operations {
            let key = Int.random(in: 0..<keyCount, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let version = UInt64.random(in: 0...999, using: &generator)
                try? cache.store(Self.entry(ofKey: key, version: version), for: CacheKey("\(key)"))
            case 5: try? cache.remove(for: CacheKey("\(key)"))
            case 6 where Int.random(in: 0..<20, using: &generator) == 0: try? cache.removeExpired()
            default:
                guard let entry = try? cache.entry(for: CacheKey("\(key)")) else { break }
                guard Self.isEntry(entry, ofKey: key) else { throw WrongBytes(key: key) }
            }
            step()
        }
    }

    /// The entry for a key and a version; up to 20 KB.
    package static func entry(ofKey key: Int, version: UInt64) -> DiskCacheEntry {
        var generator = SeededGenerator(seed: UInt64(key) << 32 | version)
        let size = Int.random(in: 0...20_000, using: &generator)
        let words = [version.littleEndian] + (0..<size / 8).map { _ in generator.next().littleEndian }
        let body = words.withUnsafeBytes { Data($0) }
        return DiskCacheEntry(
            data: body, headers: ["etag": "\"\(key)-\(version)\""], extendedData: Data(body.suffix(5)))
    }

    /// Whether an entry is one that a hammer stored under a key.
    package static func isEntry(_ entry: DiskCacheEntry, ofKey key: Int) -> Bool {
        guard entry.data.count >= 8 else { return false }
        let version = entry.data.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        let expected = Self.entry(ofKey: key, version: version)
        return expected.data == entry.data && expected.headers == entry.headers
            && expected.extendedData == entry.extendedData
    }
}
