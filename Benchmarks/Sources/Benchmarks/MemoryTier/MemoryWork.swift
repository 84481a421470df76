import Glibc
import Synchronization
import WebImage
import WebImageTesting

/// Lookups in a memory cache: 4,096 pictures by URLs of 66 bytes, some far more often than others (Zipf, 0.9).
struct MemoryWork: Sendable {
    static let count = 4096
    static let lookups = 200_000

    /// Each thread has its own strings, like each request.
    private let names: [String]
    private let order: [Int]

    /// - Parameter part: The half that the pictures are from, 0 or 1; nil for all.
    init(seed: UInt64, part: Int? = nil) {
        var random = SeededGenerator(seed: seed)
        names = Self.names()
        let law = ZipfLaw(count: part == nil ? Self.count : Self.count / 2, exponent: 0.9)
        order = (0..<Self.lookups).map { _ in
            let rank = law.next(&random)
            return part.map { rank * 2 + $0 } ?? rank
        }
    }

    static func names() -> [String] {
        (0..<count).map { "https://images.example.org/gallery/pictures/2026/\(1_000_000 + $0)/large.jpg" }
    }

    /// A cache with all the pictures.
    static func filled<Cache: NamedCache>(_ type: Cache.Type) throws -> Cache {
        let cache = Cache(costLimit: 1 << 30)
        for name in names() { cache.store(try .dot(), named: name, cost: 40_000) }
        return cache
    }

    /// Looks all of them up.
    func run(_ cache: some NamedCache) {
        // Borrowed, not copied: counting references to the names is not the cache's work.
        let names = names.span
        var found = 0
        for number in order where cache.image(named: names[number]) != nil { found += 1 }
        precondition(found == Self.lookups, "a picture was not there")
    }

    /// Nanoseconds per lookup, from the start of the threads to the end of the last one; one work for each thread.
    static func nanoseconds(_ cache: some NamedCache, _ works: [MemoryWork]) -> Double {
        // Threads start before the clock does: starting one costs as much as a thousand lookups.
        let gate = Gate(works.count)
        let threads = works.map { work in
            WorkThread {
                gate.pass()
                work.run(cache)
            }
        }
        gate.waitForAll()
        let time = seconds {
            gate.open()
            for thread in threads { thread.join() }
        }
        return time * 1e9 / Double(works.count * lookups)
    }

    /// Lets threads begin at the same moment.
    private final class Gate: Sendable {
        private let missing: Atomic<Int>
        private let isOpen = Atomic(false)

        init(_ count: Int) { missing = Atomic(count) }

        func pass() {
            missing.subtract(1, ordering: .releasing)
            while !isOpen.load(ordering: .acquiring) { sched_yield() }
        }

        func waitForAll() { while missing.load(ordering: .acquiring) > 0 { sched_yield() } }

        func open() { isOpen.store(true, ordering: .releasing) }
    }
}

extension Image {
    /// One pixel: the content does not affect a cache's speed.
    static func dot() throws -> Image {
        Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255]))
    }
}
