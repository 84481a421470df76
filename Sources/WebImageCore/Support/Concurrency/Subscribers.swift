/// All who wait for one piece of work, in the order in which they joined, with the highest of their priorities.
@usableFromInline package struct Subscribers<Subscriber> {
    @usableFromInline struct Place {
        @usableFromInline let number: UInt64
        /// nil for one that has left.
        @usableFromInline var subscriber: Subscriber?
        @usableFromInline var priority: LoadPriority

        @inlinable init(number: UInt64, subscriber: Subscriber, priority: LoadPriority) {
            self.number = number
            self.subscriber = subscriber
            self.priority = priority
        }
    }

    /// By number. Empty places are removed when they are the majority, so that the cost of leaving does not grow with
    /// the number of subscribers.
    @usableFromInline var places: [Place] = []
    @usableFromInline var tally = PriorityTally()
    @usableFromInline var size = 0
    @usableFromInline var lastNumber: UInt64 = 0

    @inlinable package init() {}

    @inlinable package var count: Int { size }
    @inlinable package var isEmpty: Bool { size == 0 }

    /// The highest priority of the subscribers; low when there are none.
    @inlinable package var priority: LoadPriority { tally.highest }

    @inlinable package var all: [Subscriber] { places.compactMap(\.subscriber) }

    /// Returns the number of the subscriber's place.
    @discardableResult
    @inlinable package mutating func add(_ subscriber: Subscriber, priority: LoadPriority) -> UInt64 {
        lastNumber += 1
        size += 1
        tally.add(priority)
        places.append(Place(number: lastNumber, subscriber: subscriber, priority: priority))
        return lastNumber
    }

    /// nil when there is no subscriber of that number.
    @inlinable package mutating func remove(_ number: UInt64) -> Subscriber? {
        guard let index = index(of: number), let subscriber = places[index].subscriber.take() else { return nil }
        size -= 1
        tally.remove(places[index].priority)
        if count < places.count / 2 { places.removeAll { $0.subscriber == nil } }
        return subscriber
    }

    /// Removes all of them, and returns them with their priorities.
    @inlinable package mutating func removeAll() -> [(subscriber: Subscriber, priority: LoadPriority)] {
        defer { (places, tally, size) = ([], PriorityTally(), 0) }
        return places.compactMap { place in place.subscriber.map { ($0, place.priority) } }
    }

    /// Without effect when there is no subscriber of that number.
    @inlinable package mutating func setPriority(_ priority: LoadPriority, of number: UInt64) {
        guard let index = index(of: number), places[index].subscriber != nil else { return }
        tally.remove(places[index].priority)
        tally.add(priority)
        places[index].priority = priority
    }

    /// The number of the first that `isWanted`.
    @inlinable package func number(where isWanted: (Subscriber) -> Bool) -> UInt64? {
        places.first { $0.subscriber.map(isWanted) ?? false }?.number
    }

    @inlinable func index(of number: UInt64) -> Int? {
        var range = places.indices
        while let middle = range.dropFirst(range.count / 2).first {
            if places[middle].number == number { return middle }
            range = places[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}

extension Subscribers: Sendable where Subscriber: Sendable {}
extension Subscribers.Place: Sendable where Subscriber: Sendable {}
