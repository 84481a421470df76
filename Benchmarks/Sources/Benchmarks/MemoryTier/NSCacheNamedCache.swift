import Foundation
import WebImage

/// Foundation's cache; each call bridges the string.
///
/// `@unchecked Sendable`: it has its own lock.
final class NSCacheNamedCache: NamedCache, @unchecked Sendable {
    static let id = "nscache"
    static let title = "NSCache"
    private let cache = NSCache<NSString, Image>()

    init(costLimit: Int) { cache.totalCostLimit = costLimit }

    func image(named name: String) -> Image? { cache.object(forKey: NSString(string: name)) }
    func store(_ image: Image, named name: String, cost: Int) {
        cache.setObject(image, forKey: NSString(string: name), cost: cost)
    }
}
