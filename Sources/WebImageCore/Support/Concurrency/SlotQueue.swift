/// Slot numbers in first-in-first-out order: a doubly linked list in two arrays. Each hit in memory moves a slot, so that its
/// methods are compiled where they are used.
package struct SlotQueue {
    @inlinable static var end: Int32 { -1 }
    @usableFromInline var older: [Int32] = []
    @usableFromInline var newer: [Int32] = []
    @usableFromInline var oldestSlot: Int32 = -1
    @usableFromInline var newestSlot: Int32 = -1

    package init() {}

    /// The slot that was added first.
    @inlinable
    package var oldest: Int? { oldestSlot == Self.end ? nil : Int(oldestSlot) }

    /// The slot that was added last.
    var newest: Int? { newestSlot == Self.end ? nil : Int(newestSlot) }

    /// Adds a slot that is not in the queue, as the newest.
    @inlinable
    package mutating func append(_ slot: Int) {
        while older.count <= slot {
            older.append(Self.end)
            newer.append(Self.end)
        }
        older[slot] = newestSlot
        newer[slot] = Self.end
        if newestSlot == Self.end { oldestSlot = Int32(slot) } else { newer[Int(newestSlot)] = Int32(slot) }
        newestSlot = Int32(slot)
    }

    /// Removes a slot that is in the queue.
    @inlinable
    package mutating func remove(_ slot: Int) {
        let before = older[slot]
        let after = newer[slot]
        if before == Self.end { oldestSlot = after } else { newer[Int(before)] = after }
        if after == Self.end { newestSlot = before } else { older[Int(after)] = before }
    }
}
