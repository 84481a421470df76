/// The loads that wait for the same picture, in the order in which they came.
struct WaitingLoads {
    private struct Place {
        let number: UInt64
        /// nil for one that has left.
        var load: LoadOperation?
        var priority: LoadPriority
    }

    /// By number. Those who have left are taken out when they are the most, so that nobody's leaving takes the longer the
    /// more there are.
    private var places: [Place] = []
    private var tally = PriorityTally()
    private(set) var count = 0
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { count == 0 }

    /// As urgent as the most urgent of them.
    var priority: LoadPriority { tally.highest }

    var all: [LoadOperation] { places.compactMap(\.load) }

    /// The number names the load's place.
    mutating func add(_ load: LoadOperation, priority: LoadPriority) -> UInt64 {
        lastNumber += 1
        count += 1
        tally.add(priority)
        places.append(Place(number: lastNumber, load: load, priority: priority))
        return lastNumber
    }

    /// nil when there is none of that number.
    mutating func remove(_ number: UInt64) -> LoadOperation? {
        guard let index = index(of: number), let load = places[index].load.take() else { return nil }
        count -= 1
        tally.remove(places[index].priority)
        if count < places.count / 2 { places.removeAll { $0.load == nil } }
        return load
    }

    mutating func setPriority(_ priority: LoadPriority, of number: UInt64) {
        guard let index = index(of: number), places[index].load != nil else { return }
        tally.remove(places[index].priority)
        tally.add(priority)
        places[index].priority = priority
    }

    private func index(of number: UInt64) -> Int? {
        var range = places.indices
        while let middle = range.dropFirst(range.count / 2).first {
            if places[middle].number == number { return middle }
            range = places[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
