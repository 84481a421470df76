import WebImageCore

/// The caches that take part in an operation, of several, and their order. The raw values are SDWebImage's.
public enum ImageCachesManagerOperationPolicy: Int, Sendable, Hashable, CaseIterable {
    /// One after the other, the highest first; a search ends with the first result.
    case serial = 0
    /// All at once; a search ends with the first result.
    case concurrent = 1
    /// Only the highest, which is the last of the list.
    case highestOnly = 2
    /// Only the lowest, which is the first of the list.
    case lowestOnly = 3
}

extension ImageCachesManagerOperationPolicy {
    /// The caches that take part, in the order in which they begin.
    func chosen(from caches: [any ImageCaching]) -> [any ImageCaching] {
        switch self {
        case .serial, .concurrent: caches.reversed()
        case .highestOnly: Array(caches.suffix(1))
        case .lowestOnly: Array(caches.prefix(1))
        }
    }

    /// How many of `count` caches work at a time.
    func width(of count: Int) -> Int { self == .concurrent ? max(1, count) : 1 }
}
