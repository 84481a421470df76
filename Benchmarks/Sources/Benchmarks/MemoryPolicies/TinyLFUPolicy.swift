/// W-TinyLFU (Einziger, Friedman, Manes: ACM Transactions on Storage 2017): an LRU window, then two segments that evict
/// the less frequently requested entry. Counts are exact, where the original estimates them.
struct TinyLFUPolicy: EvictionPolicy {
    private let costs: [Int]
    private let capacity: Int
    private let windowCapacity: Int
    private let protectedCapacity: Int
    private var window: PictureList
    private var probation: PictureList
    private var protected: PictureList
    private var counts: [Int]
    private var requests = 0

    init(_ trace: MemoryTrace, _ capacity: Int, windowShare: Double) {
        costs = trace.costs
        self.capacity = capacity
        windowCapacity = Int(Double(capacity) * windowShare)
        protectedCapacity = (capacity - windowCapacity) * 8 / 10
        window = PictureList(trace)
        probation = window
        protected = window
        counts = [Int](repeating: 0, count: costs.count)
    }

    mutating func request(_ picture: Int) -> Bool {
        count(picture)
        if touch(picture) { return true }
        guard costs[picture] <= capacity / 10 else { return false }
        window.append(picture)
        while window.cost > windowCapacity, let candidate = window.oldest {
            window.remove(candidate)
            admit(candidate)
        }
        return false
    }

    private mutating func touch(_ picture: Int) -> Bool {
        if window.contains(picture) {
            window.moveToEnd(picture)
        } else if protected.contains(picture) {
            protected.moveToEnd(picture)
        } else if probation.contains(picture) {
            probation.remove(picture)
            protected.append(picture)
            while protected.cost > protectedCapacity, let oldest = protected.oldest {
                protected.remove(oldest)
                probation.append(oldest)
            }
        } else {
            return false
        }
        return true
    }

    private mutating func admit(_ candidate: Int) {
        while probation.cost + protected.cost + costs[candidate] > capacity - windowCapacity {
            guard let victim = probation.oldest ?? protected.oldest, counts[candidate] > counts[victim] else { return }
            if probation.contains(victim) { probation.remove(victim) } else { protected.remove(victim) }
        }
        probation.append(candidate)
    }

    /// Counts age: all are halved periodically.
    private mutating func count(_ picture: Int) {
        counts[picture] = min(15, counts[picture] + 1)
        requests += 1
        let held = window.count + probation.count + protected.count
        guard requests > 10 * max(100, held) else { return }
        requests = 0
        for index in counts.indices { counts[index] /= 2 }
    }
}
