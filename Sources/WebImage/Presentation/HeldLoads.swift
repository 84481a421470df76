/// Loads on hold until a scroller slows down, as a pure value.
package struct HeldLoads<ID: Hashable & Sendable>: Sendable {
    /// In the order of arrival.
    private var numbers: [ID: Int] = [:]
    private var lastNumber = 0

    /// No loads.
    package init() {}

    /// Whether no load is on hold.
    package var isEmpty: Bool { numbers.isEmpty }

    /// Adds a load.
    package mutating func hold(_ id: ID) {
        lastNumber += 1
        numbers[id] = lastNumber
    }

    /// Removes a cancelled load; false when it was not on hold.
    @discardableResult
    package mutating func remove(_ id: ID) -> Bool { numbers.removeValue(forKey: id) != nil }

    /// Releases all: first the visible ones in the order of arrival, which in a list is from top to bottom; then the
    /// others, the latest first, because they are nearest to the scroller's position.
    package mutating func release(isSeen: (ID) -> Bool) -> [ID] {
        defer { numbers.removeAll(keepingCapacity: true) }
        let waiting = numbers.sorted { $0.value < $1.value }.map(\.key)
        return waiting.filter(isSeen) + waiting.filter { !isSeen($0) }.reversed()
    }
}
