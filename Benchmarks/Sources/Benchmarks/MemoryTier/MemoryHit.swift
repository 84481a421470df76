import WebImage

/// Lookups in a memory cache of 4,096 pictures by URL, each hashed anew, on one thread.
struct MemoryHit<Rival: NamedCache>: Benchmark {
    static var id: String { "memory-hit-\(Rival.id)" }
    static var what: String { "memory cache, one hit of 4,096 pictures by its URL" }

    func run() async throws -> Measurement {
        let work = MemoryWork(seed: 1)
        let (ours, rival) = (try MemoryWork.filled(OurNamedCache.self), try MemoryWork.filled(Rival.self))
        let outcome = await Turns().compare {
            MemoryWork.nanoseconds(ours, [work])
        } rival: {
            MemoryWork.nanoseconds(rival, [work])
        }
        return measurement(outcome, unit: "ns", rival: Rival.title, goal: 0.25)
    }
}

/// The same on two threads together, against one thread: the time between two hits of either thread.
///
/// Threads that look up the same pictures contend for their reference counts with any cache: ``BareNamedCache`` shows
/// the cost of that alone.
struct MemoryThreads<Cache: NamedCache, Pictures: ThreadPictures>: Benchmark {
    static var id: String { "memory-threads-\(Cache.id)-\(Pictures.id)" }
    static var what: String { "\(Cache.title), two threads, \(Pictures.id) pictures" }

    func run() async throws -> Measurement {
        let works = [MemoryWork(seed: 1, part: Pictures.parts[0]), MemoryWork(seed: 2, part: Pictures.parts[1])]
        let cache = try MemoryWork.filled(Cache.self)
        let outcome = await Turns().compare {
            MemoryWork.nanoseconds(cache, works)
        } rival: {
            MemoryWork.nanoseconds(cache, [works[0]])
        }
        return measurement(
            outcome, unit: "ns", rival: "one thread alone", goal: Cache.self == OurNamedCache.self ? 1 / 1.6 : nil)
    }
}

/// The pictures that two threads look up.
protocol ThreadPictures: Sendable {
    static var id: String { get }
    static var parts: [Int?] { get }
}

/// Different pictures.
enum OwnPictures: ThreadPictures {
    static let id = "own"
    static let parts: [Int?] = [0, 1]
}

/// The same pictures with the same frequencies.
enum SamePictures: ThreadPictures {
    static let id = "same"
    static let parts: [Int?] = [nil, nil]
}

/// Storing a picture that evicts another one.
struct MemoryStore<Rival: NamedCache>: Benchmark {
    static var id: String { "memory-store-\(Rival.id)" }
    static var what: String { "memory cache, a store that evicts, of 2,048 held" }

    func run() async throws -> Measurement {
        let names = MemoryWork.names()
        let image = try Image.dot()
        // Costs differ, as with real pictures.
        let costs = names.indices.map { 10_000 + $0 * 7919 % 60_000 }
        let limit = costs.reduce(0, +) / 2
        let (ours, rival) = (OurNamedCache(costLimit: limit), Rival(costLimit: limit))
        func nanoseconds(_ cache: some NamedCache) -> Double {
            seconds {
                for (name, cost) in zip(names, costs) { cache.store(image, named: name, cost: cost) }
            } * 1e9 / Double(names.count)
        }
        let outcome = await Turns().compare {
            nanoseconds(ours)
        } rival: {
            nanoseconds(rival)
        }
        return measurement(outcome, unit: "ns", rival: Rival.title)
    }
}
