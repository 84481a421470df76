/// Which of the pictures that nobody sees are kept ready in views, as a pure value: the ones that were seen last.
///
/// A list keeps many more cells than it shows. Those just out of sight are likely to come back; the others take up memory
/// that the memory cache could not free.
package struct UnseenPictures<ID: Hashable & Sendable>: Sendable {
    /// How many are kept.
    package let limit: Int
    /// When each went out of sight; the numbers only grow.
    private var hiddenAt: [ID: Int] = [:]
    private var order: [(id: ID, number: Int)] = []
    private var lastNumber = 0

    /// None yet. Two dozen is about as many as are seen at a time.
    package init(limit: Int = 24) { self.limit = max(0, limit) }

    /// How many are kept now.
    package var count: Int { hiddenAt.count }

    /// A view with a picture went out of sight.
    ///
    /// - Returns: The view whose picture is to be dropped, if one is too many.
    package mutating func hide(_ id: ID) -> ID? {
        lastNumber += 1
        hiddenAt[id] = lastNumber
        order.append((id, lastNumber))
        compactWhenStale()
        guard hiddenAt.count > limit else { return nil }
        return takeOldest()
    }

    /// A view came into sight, or has no picture any more.
    package mutating func remove(_ id: ID) { hiddenAt[id] = nil }

    private mutating func takeOldest() -> ID? {
        var passed = 0
        defer { order.removeFirst(passed) }
        for (id, number) in order {
            passed += 1
            guard hiddenAt[id] == number else { continue }
            hiddenAt[id] = nil
            return id
        }
        return nil
    }

    /// Views that came into sight leave their places in the order behind.
    private mutating func compactWhenStale() {
        guard order.count > 2 * hiddenAt.count + 32 else { return }
        order.removeAll { hiddenAt[$0.id] != $0.number }
    }
}
