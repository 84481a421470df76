/// S3-FIFO (Yang, Zhang, Qiu, Yue, Vigfusson: SOSP 2023), with any share of the queue for new pictures.
struct S3FIFOPolicy: EvictionPolicy {
    private let costs: [Int]
    private let capacity: Int
    private let tenths: Int
    /// The number of uses that keeps a new picture.
    private let neededUses: Int
    private var new: PictureList
    private var main: PictureList
    private var ghosts: PictureList
    private var uses: [Int]

    init(_ trace: MemoryTrace, _ capacity: Int, tenths: Int, neededUses: Int = 2) {
        costs = trace.costs
        self.capacity = capacity
        self.tenths = tenths
        self.neededUses = neededUses
        new = PictureList(trace)
        main = new
        ghosts = new
        uses = [Int](repeating: 0, count: costs.count)
    }

    mutating func request(_ picture: Int) -> Bool {
        if new.contains(picture) || main.contains(picture) {
            uses[picture] = min(3, uses[picture] + 1)
            return true
        }
        guard costs[picture] <= capacity / 10 else { return false }
        let isBack = ghosts.contains(picture)
        if isBack { ghosts.remove(picture) }
        while new.cost + main.cost + costs[picture] > capacity { evict() }
        uses[picture] = 0
        if isBack { main.append(picture) } else { new.append(picture) }
        return false
    }

    private mutating func evict() {
        if let oldest = new.oldest, new.cost * 10 > (new.cost + main.cost) * tenths || main.count == 0 {
            new.remove(oldest)
            if uses[oldest] >= neededUses {
                uses[oldest] = 0
                main.append(oldest)
            } else {
                ghosts.append(oldest)
                while ghosts.count > new.count + main.count, let first = ghosts.oldest { ghosts.remove(first) }
            }
        } else if let oldest = main.oldest {
            main.remove(oldest)
            guard uses[oldest] > 0 else { return }
            uses[oldest] -= 1
            main.append(oldest)
        }
    }
}
