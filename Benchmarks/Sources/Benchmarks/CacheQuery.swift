import FoundationEssentials
import WebImage

/// A cache query answered from memory, from the call to the callback on the same thread, against the lookup in the
/// memory cache alone.
struct CacheQuery: Benchmark {
    static let id = "query-image"
    static let what = "a query of the cache answered by memory"

    private static let rounds = 20_000

    private static var context: WebImageContext {
        var context = WebImageContext()
        context.callbackQueue = .current
        return context
    }

    func run() async throws -> Measurement {
        let directory = TemporaryDirectory()
        let cache = ImageCache(directory: directory.path)
        let name = "https://example.org/pictures/of/some/length/1234.jpg"
        cache.storeInMemory(try .dot(), for: CacheKey(name))
        let context = Self.context
        let outcome = await Turns().compare {
            threadSeconds {
                for _ in 0..<Self.rounds {
                    _ = cache.queryImage(for: CacheKey(name), context: context) { result in
                        guard case .success(_?) = result else { fatalError("a miss") }
                    }
                }
            } * 1e9 / Double(Self.rounds)
        } rival: {
            threadSeconds {
                for _ in 0..<Self.rounds where cache.imageFromMemory(for: CacheKey(name)) == nil {
                    fatalError("a miss")
                }
            } * 1e9 / Double(Self.rounds)
        }
        return measurement(outcome, unit: "ns", rival: "key and memory cache alone")
    }
}
