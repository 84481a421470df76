import Synchronization
import WebImage

/// A memory cache that records its requests; `make bench ONLY=memory-policies` replays them.
nonisolated final class TracedMemoryCache: MemoryCaching {
    private struct Trace {
        var numbers: [CacheKey: Int] = [:]
        var costs: [Int] = []
        var requests: [Int] = []

        mutating func number(of key: CacheKey) -> Int {
            if let number = numbers[key] { return number }
            numbers[key] = costs.count
            costs.append(0)
            return costs.count - 1
        }
    }

    private let cache: any MemoryCaching
    private let trace = Mutex(Trace())

    init(_ cache: any MemoryCaching) { self.cache = cache }

    /// The cost of each picture in bytes on one line, 0 where none came; then the numbers of the requested pictures.
    var text: String {
        let trace = trace.withLock { $0 }
        return [trace.costs, trace.requests].map { $0.map(String.init).joined(separator: " ") + "\n" }.joined()
    }

    func image(for key: CacheKey) -> Image? {
        trace.withLock { trace in trace.requests.append(trace.number(of: key)) }
        return cache.image(for: key)
    }

    func store(_ image: Image, for key: CacheKey, cost: Int) {
        trace.withLock { trace in trace.costs[trace.number(of: key)] = cost }
        cache.store(image, for: key, cost: cost)
    }

    func remove(for key: CacheKey) { cache.remove(for: key) }
    func images(of key: CacheKey) -> [Image] { cache.images(of: key) }
    var keys: [CacheKey] { cache.keys }
    func removeAlone(for key: CacheKey) { cache.removeAlone(for: key) }

    func removeAll() { cache.removeAll() }
}
