/// Loads that wait for a scroller to slow down, as a pure value.
package struct HeldLoads<ID: Hashable & Sendable>: Sendable {
    /// In the order in which they came.
    private var numbers: [ID: Int] = [:]
    private var lastNumber = 0

    /// No loads.
    package init() {}

    /// Whether nobody waits.
    package var isEmpty: Bool { numbers.isEmpty }

    /// Lets a load wait.
    package mutating func hold(_ id: ID) {
        lastNumber += 1
        numbers[id] = lastNumber
    }

    /// A load that nobody wants any more; false when it did not wait.
    @discardableResult
    package mutating func remove(_ id: ID) -> Bool { numbers.removeValue(forKey: id) != nil }

    /// Lets all go: first those that are seen, in the order in which they came, which in a list is from the top to the
    /// bottom; then the others, the latest first, because they are the nearest to where the scroller has come to.
    package mutating func release(isSeen: (ID) -> Bool) -> [ID] {
        defer { numbers.removeAll(keepingCapacity: true) }
        let waiting = numbers.sorted { $0.value < $1.value }.map(\.key)
        return waiting.filter(isSeen) + waiting.filter { !isSeen($0) }.reversed()
    }
}
