import FoundationEssentials
import Synchronization
import WebImage

/// One picture after the other out of a memory cache of 4,096, keys ready made, against the bare limit: a dictionary
/// of strings behind a lock.
struct MemoryHit: Benchmark {
    static let id = "memory-hit"
    static let what = "memory cache, one hit of 4,096 pictures"

    private static let count = 4096
    private static let rounds = 50

    func run() async throws -> Measurement {
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255]))
        let names = (0..<Self.count).map { "https://example.org/pictures/of/some/length/\($0).jpg" }
        let keys = names.map(CacheKey.init)
        let cache = MemoryCache()
        for key in keys { cache.store(image, for: key, cost: 4) }
        let dictionary = Mutex(Dictionary(uniqueKeysWithValues: names.map { ($0, image) }))
        var found = 0
        let outcome = await Turns().compare {
            nanosecondsPerHit { for key in keys where cache.image(for: key) != nil { found += 1 } }
        } rival: {
            nanosecondsPerHit { for name in names where dictionary.withLock({ $0[name] }) != nil { found += 1 } }
        }
        precondition(found.isMultiple(of: Self.count), "a picture was not there")
        return Measurement(
            id: Self.id, what: Self.what, ours: outcome.ours, unit: "ns", rival: "Dictionary<String> behind a Mutex",
            rivalValue: outcome.rival, ratio: outcome.ratio)
    }

    private func nanosecondsPerHit(_ pass: () -> Void) -> Double {
        seconds { for _ in 0..<Self.rounds { pass() } } * 1e9 / Double(Self.rounds * Self.count)
    }
}
