/// How many may work at a time, so that whoever waits for a picture never waits for one that nobody looks at.
struct WorkPlaces {
    /// How those of low priority leave room for the others.
    enum Room {
        /// They take all places but one. Where there is only one, it may be taken, and the first that is more urgent works
        /// beside it. For what strains others: servers have a say in how many connections are too many.
        case onePlace
        /// They take all places, and the others have as many again: for work that only the processors must bear, which
        /// share themselves out.
        case beside
    }

    var limit: Int
    let room: Room
    private(set) var lowCount = 0
    private(set) var urgentCount = 0

    init(limit: Int, room: Room = .onePlace) {
        self.limit = max(1, limit)
        self.room = room
    }

    func hasPlace(for priority: LoadPriority) -> Bool {
        let isFull = lowCount + urgentCount >= limit
        switch room {
        case .onePlace:
            if priority > .low { return !isFull || urgentCount == 0 }
            return !isFull && lowCount < max(1, limit - 1)
        case .beside:
            return priority > .low ? urgentCount < limit : !isFull
        }
    }

    mutating func enter(_ priority: LoadPriority) {
        if priority > .low { urgentCount += 1 } else { lowCount += 1 }
    }

    mutating func leave(_ priority: LoadPriority) {
        if priority > .low { urgentCount -= 1 } else { lowCount -= 1 }
    }
}
