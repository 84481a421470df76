/// The choice which invisible views keep their pictures, as a pure value: those that were visible last.
///
/// A list has many more cells than it shows. Those just out of sight are likely to come back; the others hold memory
/// that the memory cache cannot free. Other containers have few, but a picture may be as large as its file.
package struct UnseenPictures<ID: Hashable & Sendable>: Sendable {
    /// The most that may be kept.
    package struct Limit: Sendable, Hashable {
        /// The number of views.
        package var count: Int
        /// The bytes of all their pictures.
        package var bytes: Int

        /// Two dozen is about the number of visible views.
        package init(count: Int = 24, bytes: Int = .max) {
            self.count = max(0, count)
            self.bytes = max(0, bytes)
        }
    }

    private struct Entry {
        /// Its position in the order of becoming invisible; the numbers only grow.
        let number: Int
        let bytes: Int
    }

    /// The most that is kept.
    package let limit: Limit
    /// The bytes of all kept pictures.
    package private(set) var bytes = 0
    private var entries: [ID: Entry] = [:]
    private var order: [(id: ID, number: Int)] = []
    private var lastNumber = 0

    /// Without views.
    package init(limit: Limit = Limit()) { self.limit = limit }

    /// The number of kept views.
    package var count: Int { entries.count }

    /// A view with pictures of this size became invisible, got others while invisible, or could not release them: it
    /// becomes the youngest.
    package mutating func hide(_ id: ID, bytes: Int = 0) {
        remove(id)
        lastNumber += 1
        entries[id] = Entry(number: lastNumber, bytes: bytes)
        self.bytes += bytes
        order.append((id, lastNumber))
        compactWhenStale()
    }

    /// A view became visible, or has no picture any more.
    package mutating func remove(_ id: ID) {
        if let entry = entries.removeValue(forKey: id) { bytes -= entry.bytes }
    }

    /// Removes the view that became invisible first, if the limit is exceeded: its pictures are to be released.
    package mutating func takeExcess() -> ID? { count > limit.count || bytes > limit.bytes ? takeOldest() : nil }

    /// Removes all, the oldest first.
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

    /// Views that became visible leave gaps in the order.
    private mutating func compactWhenStale() {
        guard order.count > 2 * entries.count + 32 else { return }
        order.removeAll { entries[$0.id]?.number != $0.number }
    }
}
