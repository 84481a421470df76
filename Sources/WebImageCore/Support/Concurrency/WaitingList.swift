/// Waiting elements by priority, and within a priority in the order in which they were added.
///
/// All operations take constant time: a list that is scrolled quickly gives up thousands of waiting pictures.
package struct WaitingList<Element> {
    private struct Slot {
        var ticket = WaitingTicket.none
        var priority = LoadPriority.normal
        var element: Element?
    }

    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var levels = LoadPriority.allCases.map { _ in SlotQueue() }
    private var lastNumber: UInt64 = 0

    package init() {}

    /// Adds `element` as the newest of its priority.
    package mutating func append(_ element: Element, priority: LoadPriority) -> WaitingTicket {
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        lastNumber += 1
        let ticket = WaitingTicket(slot: index, number: lastNumber)
        slots[index] = Slot(ticket: ticket, priority: priority, element: element)
        levels[priority.level].append(index)
        return ticket
    }

    /// Makes an element the newest of another priority; without effect when it has that one already, or was removed.
    package mutating func move(_ ticket: WaitingTicket, to priority: LoadPriority) {
        guard isWaiting(ticket), slots[ticket.slot].priority != priority else { return }
        levels[slots[ticket.slot].priority.level].remove(ticket.slot)
        levels[priority.level].append(ticket.slot)
        slots[ticket.slot].priority = priority
    }

    /// Removes an element; nil when it was removed before.
    package mutating func remove(_ ticket: WaitingTicket) -> Element? {
        isWaiting(ticket) ? takeOut(ticket.slot) : nil
    }

    /// The highest priority of all elements; nil when there are none.
    package var highestPriority: LoadPriority? {
        LoadPriority.allCases.last { levels[$0.level].newest != nil }
    }

    /// Removes the newest element of the highest priority.
    package mutating func popNewest() -> Element? { pop { $0.newest } }

    /// Removes the oldest element of the highest priority.
    package mutating func popOldest() -> Element? { pop { $0.oldest } }

    private mutating func pop(_ next: (borrowing SlotQueue) -> Int?) -> Element? {
        for level in levels.indices.reversed() {
            if let slot = next(levels[level]) { return takeOut(slot) }
        }
        return nil
    }

    private func isWaiting(_ ticket: WaitingTicket) -> Bool {
        slots.indices.contains(ticket.slot) && slots[ticket.slot].ticket == ticket
    }

    private mutating func takeOut(_ index: Int) -> Element? {
        let slot = slots[index]
        levels[slot.priority.level].remove(index)
        slots[index] = Slot()
        freeSlots.append(index)
        return slot.element
    }
}

/// Identifies an element of one ``WaitingList``; has no effect once that was removed.
package struct WaitingTicket: Sendable, Hashable {
    fileprivate let slot: Int
    fileprivate let number: UInt64

    fileprivate static let none = WaitingTicket(slot: -1, number: 0)
}
