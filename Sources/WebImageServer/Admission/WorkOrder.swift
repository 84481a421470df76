/// The order in which pictures are made: by deadlines, which are nearer for small pictures than for large ones that came at the
/// same time. So a small one seldom waits for large ones, and a large one does not wait for ever.
///
/// Large pictures leave a place to others; where there is only one, a small picture is made beside a large one.
struct WorkOrder<Job> {
    /// Work of more seconds is large.
    static var largeCost: Double { 0.5 }
    /// A deadline is so many times the work's own time away.
    private static var patience: Double { 20 }

    private struct Entry {
        let deadline: Double
        let number: Int
        let isLarge: Bool
        let job: Job
    }

    let places: Int
    private var waiting: [Entry] = []
    private var addedCount = 0
    private var largeCount = 0
    private var smallCount = 0

    init(places: Int) { self.places = max(1, places) }

    var waitingCount: Int { waiting.count }
    var runningCount: Int { largeCount + smallCount }

    /// - Parameters:
    ///   - cost: Seconds that the work takes, about.
    ///   - now: In seconds.
    mutating func add(_ job: Job, cost: Double, now: Double) {
        addedCount += 1
        let entry = Entry(
            deadline: now + cost * Self.patience, number: addedCount, isLarge: cost > Self.largeCost, job: job)
        let place = waiting.firstIndex { ($0.deadline, $0.number) > (entry.deadline, entry.number) }
        waiting.insert(entry, at: place ?? waiting.count)
    }

    /// Takes the next job that has a place; ``end(isLarge:)`` gives the place back.
    mutating func next() -> (job: Job, isLarge: Bool)? {
        guard let index = waiting.firstIndex(where: { hasPlace(isLarge: $0.isLarge) }) else { return nil }
        let entry = waiting.remove(at: index)
        if entry.isLarge { largeCount += 1 } else { smallCount += 1 }
        return (entry.job, entry.isLarge)
    }

    mutating func end(isLarge: Bool) {
        if isLarge { largeCount -= 1 } else { smallCount -= 1 }
    }

    private func hasPlace(isLarge: Bool) -> Bool {
        guard places > 1 else { return isLarge ? largeCount == 0 : smallCount == 0 }
        return runningCount < places && (!isLarge || largeCount < places - 1)
    }
}
