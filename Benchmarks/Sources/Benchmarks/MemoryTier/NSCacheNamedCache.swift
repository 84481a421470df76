import Foundation
import WebImage

/// Foundation's, with the string bridged for each call.
///
/// `@unchecked Sendable`: it has a lock of its own.
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
