import WebImageCore

/// The loads that wait for the same picture, in the order in which they joined.
struct WaitingLoads {
    private struct Place {
        let number: UInt64
        /// nil for a load that has left.
        var load: LoadOperation?
        var priority: LoadPriority
    }

    /// By number. Empty places are removed when they are the majority, so that the cost of leaving does not grow with
    /// the number of loads.
    private var places: [Place] = []
    private var tally = PriorityTally()
    private(set) var count = 0
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { count == 0 }

    /// The highest priority of the loads.
    var priority: LoadPriority { tally.highest }

    var all: [LoadOperation] { places.compactMap(\.load) }

    /// Returns the number of the load's place.
    mutating func add(_ load: LoadOperation, priority: LoadPriority) -> UInt64 {
        lastNumber += 1
        count += 1
        tally.add(priority)
        places.append(Place(number: lastNumber, load: load, priority: priority))
        return lastNumber
    }

    /// nil when there is no load of that number.
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
