import WebImage

/// The policies with one queue.
struct QueuePolicy: EvictionPolicy {
    enum Kind { case fifo, lru, clock }

    private let costs: [Int]
    private let capacity: Int
    private let kind: Kind
    private var queue: PictureList
    private var isUsed: [Bool]

    init(_ trace: MemoryTrace, _ capacity: Int, kind: Kind) {
        costs = trace.costs
        self.capacity = capacity
        self.kind = kind
        queue = PictureList(trace)
        isUsed = [Bool](repeating: false, count: costs.count)
    }

    mutating func request(_ picture: Int) -> Bool {
        if queue.contains(picture) {
            isUsed[picture] = true
            if kind == .lru { queue.moveToEnd(picture) }
            return true
        }
        guard costs[picture] <= capacity / 10 else { return false }
        while queue.cost + costs[picture] > capacity, let oldest = queue.oldest {
            if kind == .clock, isUsed[oldest] {
                queue.moveToEnd(oldest)
            } else {
                queue.remove(oldest)
            }
            isUsed[oldest] = false
        }
        queue.append(picture)
        return false
    }
}

/// SIEVE (Zhang, Yang, Yue, Vigfusson, Rashmi: NSDI 2024): as CLOCK, but a spared entry keeps its position.
struct SievePolicy: EvictionPolicy {
    private let costs: [Int]
    private let capacity: Int
    private var queue: PictureList
    private var isUsed: [Bool]
    private var hand: Int?

    init(_ trace: MemoryTrace, _ capacity: Int) {
        costs = trace.costs
        self.capacity = capacity
        queue = PictureList(trace)
        isUsed = [Bool](repeating: false, count: costs.count)
    }

    mutating func request(_ picture: Int) -> Bool {
        if queue.contains(picture) {
            isUsed[picture] = true
            return true
        }
        guard costs[picture] <= capacity / 10 else { return false }
        while queue.cost + costs[picture] > capacity, let candidate = hand ?? queue.oldest {
            hand = queue.next(after: candidate)
            if !isUsed[candidate] { queue.remove(candidate) }
            isUsed[candidate] = false
        }
        queue.append(picture)
        return false
    }
}

/// The library's memory cache.
struct OurPolicy: EvictionPolicy {
    /// The traces stand for more bytes than the machine's budget of memory, which would shrink the cache.
    private static let scale = 1024
    private let costs: [Int]
    private let keys: [CacheKey]
    private let cache: MemoryCache
    private let image: Image

    init(_ trace: MemoryTrace, _ capacity: Int) {
        costs = trace.costs.map { $0 / Self.scale }
        keys = costs.indices.map { CacheKey("https://example.org/pictures/\($0).jpg") }
        cache = MemoryCache(costLimit: capacity / Self.scale)
        guard let dot = try? Image.dot() else { fatalError("there is no memory for one pixel") }
        image = dot
    }

    func request(_ picture: Int) -> Bool {
        if cache.image(for: keys[picture]) != nil { return true }
        cache.store(image, for: keys[picture], cost: costs[picture])
        return false
    }
}
