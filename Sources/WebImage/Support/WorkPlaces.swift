/// How many may work at a time, with one place kept free of what nobody waits for yet.
///
/// Low priority takes all places but one. Where there is only one, it may be taken, and the first that is more urgent
/// works beside it: whoever waits for a picture never waits for one that nobody looks at.
struct WorkPlaces {
    var limit: Int
    private(set) var lowCount = 0
    private(set) var urgentCount = 0

    init(limit: Int) { self.limit = max(1, limit) }

    func hasPlace(for priority: LoadPriority) -> Bool {
        let isFull = lowCount + urgentCount >= limit
        if priority > .low { return !isFull || urgentCount == 0 }
        return !isFull && lowCount < max(1, limit - 1)
    }

    mutating func enter(_ priority: LoadPriority) {
        if priority > .low { urgentCount += 1 } else { lowCount += 1 }
    }

    mutating func leave(_ priority: LoadPriority) {
        if priority > .low { urgentCount -= 1 } else { lowCount -= 1 }
    }
}
