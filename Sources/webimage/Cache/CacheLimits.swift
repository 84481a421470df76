import WebImage
import WebImageCommandLine

/// `webimage cache trim`: the limits of what stays.
struct CacheLimits: Sendable {
    /// The maximum size of all files on disk, in bytes.
    var size: Int?
    /// The maximum time since the last use.
    var age: Duration?
    var count: Int?

    /// Removes the least recently used entries until the rest is within the limits.
    func trim(_ cache: DiskCache, by teller: CacheTeller) throws(WebImageError) {
        let isUnlimited = size == nil && age == nil && count == nil
        let age = isUnlimited ? ImageCacheConfig().maxDiskAge : age
        teller.tell(removed: try cache.trim(toSize: size, count: count, age: age))
    }
}

extension OptionValue where Value == Int {
    /// An amount of bytes, with or without a unit.
    static var byteCount: Self {
        // A letter alone is a power of 1024, as for curl and most other programs.
        let units = [
            "": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30,
            "TiB": 0x1p40, "k": 0x1p10, "K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40,
        ]
        return Self(placeholder: "SIZE", expectation: "a number of bytes, such as 500MB, 2GiB or 100000") { text in
            text.amount(in: units).flatMap { $0 < 0x1p62 ? Int($0) : nil }
        }
    }
}

extension OptionValue where Value == Duration {
    /// A duration.
    static var age: Self {
        let units = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800.0]
        return Self(placeholder: "AGE", expectation: "a number with s, m, h, d or w, such as 12h or 30d") { text in
            text.amount(in: units).map { .seconds(min($0, 1e15)) }
        }
    }
}

extension String {
    /// The number at the start of the text times the unit at its end; nil for anything else.
    fileprivate func amount(in units: [String: Double]) -> Double? {
        let digits = prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), let unit = units[String(dropFirst(digits.count))] else { return nil }
        return number * unit
    }
}
