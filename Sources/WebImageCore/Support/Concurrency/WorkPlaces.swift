/// The limit of concurrent workers. Urgent work never waits for work of low priority.
package struct WorkPlaces {
    /// How work of low priority leaves room for other work.
    package enum Room {
        /// It takes half of the places. Where there is only one, it may take that, and the first job of higher priority
        /// runs beside it. Jobs whose priority was lowered while they run do not take more from the others. For work with
        /// an effect on others: servers limit the number of connections.
        case half
        /// It takes all places, and other work has the same number again: for work that only uses processors, which the
        /// system shares out.
        case beside
    }

    var limit: Int
    let room: Room
    private(set) var lowCount = 0
    private(set) var urgentCount = 0

    package init(limit: Int, room: Room = .half) {
        self.limit = max(1, limit)
        self.room = room
    }

    package func hasPlace(for priority: LoadPriority) -> Bool {
        let isFull = lowCount + urgentCount >= limit
        switch room {
        case .half:
            let room = max(1, limit / 2)
            if priority > .low { return urgentCount == 0 || urgentCount + min(lowCount, room) < limit }
            return !isFull && lowCount < room
        case .beside:
            return priority > .low ? urgentCount < limit : !isFull
        }
    }

    package mutating func enter(_ priority: LoadPriority) {
        if priority > .low { urgentCount += 1 } else { lowCount += 1 }
    }

    mutating func leave(_ priority: LoadPriority) {
        if priority > .low { urgentCount -= 1 } else { lowCount -= 1 }
    }
}
