/// Which of the pictures that nobody sees are kept ready in views, as a pure value: the ones that were seen last.
///
/// A list keeps many more cells than it shows. Those just out of sight are likely to come back; the others take up memory
/// that the memory cache could not free. Elsewhere there are few, but a picture may be as large as its file.
package struct UnseenPictures<ID: Hashable & Sendable>: Sendable {
    /// What may be kept.
    package struct Limit: Sendable, Hashable {
        /// Views.
        package var count: Int
        /// Bytes of all their pictures together.
        package var bytes: Int

        /// Two dozen is about as many as are seen at a time.
        package init(count: Int = 24, bytes: Int = .max) {
            self.count = max(0, count)
            self.bytes = max(0, bytes)
        }
    }

    private struct Entry {
        /// When it went out of sight; the numbers only grow.
        let number: Int
        let bytes: Int
    }

    /// What is kept.
    package let limit: Limit
    /// Of all that is kept now.
    package private(set) var bytes = 0
    private var entries: [ID: Entry] = [:]
    private var order: [(id: ID, number: Int)] = []
    private var lastNumber = 0

    /// None yet.
    package init(limit: Limit = Limit()) { self.limit = limit }

    /// How many are kept now.
    package var count: Int { entries.count }

    /// A view with pictures of so many bytes went out of sight, got others there, or could not let them go: it is the
    /// youngest from now on.
    package mutating func hide(_ id: ID, bytes: Int = 0) {
        remove(id)
        lastNumber += 1
        entries[id] = Entry(number: lastNumber, bytes: bytes)
        self.bytes += bytes
        order.append((id, lastNumber))
        compactWhenStale()
    }

    /// A view came into sight, or has no picture any more.
    package mutating func remove(_ id: ID) {
        if let entry = entries.removeValue(forKey: id) { bytes -= entry.bytes }
    }

    /// Takes the view that went out of sight first, if there is more than may be kept: its pictures are to be dropped.
    package mutating func takeExcess() -> ID? { count > limit.count || bytes > limit.bytes ? takeOldest() : nil }

    /// Takes them all, the oldest first.
    package mutating func takeAll() -> [ID] {
        var all: [ID] = []
        while let id = takeOldest() { all.append(id) }
        return all
    }

    private mutating func takeOldest() -> ID? {
        var passed = 0
        defer { order.removeFirst(passed) }
        for (id, number) in order {
            passed += 1
            guard entries[id]?.number == number else { continue }
            remove(id)
            return id
        }
        return nil
    }

    /// Views that came into sight leave their places in the order behind.
    private mutating func compactWhenStale() {
        guard order.count > 2 * entries.count + 32 else { return }
        order.removeAll { entries[$0.id]?.number != $0.number }
    }
}
