import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage cache trim`: what may stay.
struct CacheLimits: Sendable {
    /// Bytes of all files together.
    var size: Int?
    /// Seconds since the last use.
    var age: TimeInterval?
    var count: Int?

    private struct Candidate {
        let key: CacheKey
        let byteCount: Int
        let usedAt: Date
    }

    /// - Returns: Whether all is gone that had to go.
    func trim(_ cache: DiskCache, by teller: CacheTeller) throws(WebImageError) -> Bool {
        var candidates: [Candidate] = []
        try cache.forEachEntry { entry in
            candidates.append(
                Candidate(key: entry.key, byteCount: entry.fileByteCount, usedAt: entry.accessedAt))
            return !Task.isCancelled
        }
        // Half a list would only tell half of what is too much.
        guard !Task.isCancelled else { return false }
        var removed = DiskCacheUsage(count: 0, byteCount: 0)
        var isDone = true
        for candidate in victims(among: candidates, now: Date()) where !Task.isCancelled {
            do throws(WebImageError) {
                try cache.remove(for: candidate.key)
                removed.count += 1
                removed.byteCount += candidate.byteCount
            } catch {
                teller.console.printError("\(candidate.key.string.printable): \(error.reason)")
                isDone = false
            }
        }
        teller.tell(removed: removed)
        return isDone
    }

    /// What was used longest ago comes first, and goes until the rest is within the limits.
    private func victims(among candidates: [Candidate], now: Date) -> [Candidate] {
        let isUnlimited = size == nil && age == nil && count == nil
        let deadline = (isUnlimited ? ImageCacheConfig().maxDiskAge : age).map { now - $0 }
        var rest = (count: candidates.count, size: candidates.reduce(0) { $0 + $1.byteCount })
        return candidates.sorted { $0.usedAt < $1.usedAt }.filter { candidate in
            let isTooOld = deadline.map { candidate.usedAt <= $0 } ?? false
            guard isTooOld || rest.count > count ?? .max || rest.size > size ?? .max else { return false }
            rest.count -= 1
            rest.size -= candidate.byteCount
            return true
        }
    }
}

extension OptionValue where Value == Int {
    /// An amount of bytes, with or without a unit.
    static var byteCount: Self {
        let units = [
            "": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30,
            "TiB": 0x1p40,
        ]
        return Self(placeholder: "SIZE", expectation: "a number of bytes, such as 500MB, 2GiB or 100000") { text in
            text.amount(in: units).flatMap { $0 < 0x1p62 ? Int($0) : nil }
        }
    }
}

extension OptionValue where Value == TimeInterval {
    /// A time that has passed.
    static var age: Self {
        let units = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800.0]
        return Self(placeholder: "AGE", expectation: "a number with s, m, h, d or w, such as 12h or 30d") { text in
            text.amount(in: units)
        }
    }
}

extension String {
    /// The number that the text begins with times the unit that it ends with; nil for anything else.
    fileprivate func amount(in units: [String: Double]) -> Double? {
        let digits = prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), let unit = units[String(dropFirst(digits.count))] else { return nil }
        return number * unit
    }
}
