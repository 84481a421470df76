/// The eviction policy of a cache with a byte limit. A simulation: pictures are numbers from 0 on, with costs from the
/// trace.
protocol EvictionPolicy {
    /// Requests a picture; a missing one is inserted.
    ///
    /// - Returns: Whether it was in the cache.
    mutating func request(_ picture: Int) -> Bool
}

/// A policy and its name in the table.
struct NamedPolicy: Sendable {
    let name: String
    let make: @Sendable (_ trace: MemoryTrace, _ capacity: Int) -> any EvictionPolicy

    static let all: [NamedPolicy] = [
        NamedPolicy(name: "FIFO") { QueuePolicy($0, $1, kind: .fifo) },
        NamedPolicy(name: "LRU") { QueuePolicy($0, $1, kind: .lru) },
        NamedPolicy(name: "CLOCK") { QueuePolicy($0, $1, kind: .clock) },
        NamedPolicy(name: "SIEVE") { SievePolicy($0, $1) },
        NamedPolicy(name: "S3 10%") { S3FIFOPolicy($0, $1, tenths: 1) },
        NamedPolicy(name: "S3 30%") { S3FIFOPolicy($0, $1, tenths: 3) },
        NamedPolicy(name: "30% once") { S3FIFOPolicy($0, $1, tenths: 3, neededUses: 1) },
        NamedPolicy(name: "TinyLFU 1%") { TinyLFUPolicy($0, $1, windowShare: 0.01) },
        NamedPolicy(name: "TinyLFU 20%") { TinyLFUPolicy($0, $1, windowShare: 0.2) },
        NamedPolicy(name: "ours") { OurPolicy($0, $1) },
    ]
}

/// An ordered list of pictures, with their total cost.
struct PictureList {
    private static let none = -1
    private var older: [Int]
    private var newer: [Int]
    private var isListed: [Bool]
    private let costs: [Int]
    private(set) var oldest: Int?
    private var newest: Int?
    private(set) var cost = 0
    private(set) var count = 0

    init(_ trace: MemoryTrace) {
        costs = trace.costs
        older = [Int](repeating: Self.none, count: costs.count)
        newer = older
        isListed = [Bool](repeating: false, count: costs.count)
    }

    func contains(_ picture: Int) -> Bool { isListed[picture] }

    /// The picture inserted after another one.
    func next(after picture: Int) -> Int? { newer[picture] == Self.none ? nil : newer[picture] }

    mutating func append(_ picture: Int) {
        older[picture] = newest ?? Self.none
        newer[picture] = Self.none
        if let newest { newer[newest] = picture } else { oldest = picture }
        newest = picture
        isListed[picture] = true
        cost += costs[picture]
        count += 1
    }

    mutating func remove(_ picture: Int) {
        let (before, after) = (older[picture], newer[picture])
        if before == Self.none { oldest = after == Self.none ? nil : after } else { newer[before] = after }
        if after == Self.none { newest = before == Self.none ? nil : before } else { older[after] = before }
        isListed[picture] = false
        cost -= costs[picture]
        count -= 1
    }

    mutating func moveToEnd(_ picture: Int) {
        remove(picture)
        append(picture)
    }
}
