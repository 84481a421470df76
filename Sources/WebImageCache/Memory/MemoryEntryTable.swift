import WebImageCore

/// The entries of a memory cache, in numbered slots, and a hash table to find them: open addressing with linear
/// probing, one cache line for most look-ups.
///
/// Its memory is managed by hand: arrays would count references at each look-up, in a place that all threads write.
struct MemoryEntryTable: ~Copyable {
    private struct Cell {
        /// The lowest bits of the fingerprint.
        var hash: UInt32 = 0
        var slot: Int32 = -1
    }

    private var cells = emptyCells(16)
    private var entries = room(8)
    private var freeSlots: [Int] = []
    /// Slots that were ever used.
    private var slotCount = 0
    private(set) var count = 0

    private var mask: Int { cells.count - 1 }

    deinit {
        for cell in cells where cell.slot >= 0 { entries.deinitializeElement(at: Int(cell.slot)) }
        entries.deallocate()
        cells.deallocate()
    }

    /// The slot of the entry under the key of a fingerprint.
    func slot(for fingerprint: KeyFingerprint) -> Int? {
        let hash = UInt32(truncatingIfNeeded: fingerprint.low)
        var position = Int(truncatingIfNeeded: hash) & mask
        while cells[position].slot >= 0 {
            let slot = Int(cells[position].slot)
            if cells[position].hash == hash, entries[slot].fingerprint == fingerprint { return slot }
            position = (position + 1) & mask
        }
        return nil
    }

    /// Reads an entry in place.
    func withEntry<Result>(at slot: Int, _ body: (borrowing MemoryEntry) -> Result) -> Result { body(entries[slot]) }

    /// Changes an entry in place.
    mutating func changeEntry(at slot: Int, _ change: (inout MemoryEntry) -> Void) { change(&entries[slot]) }

    /// Adds an entry whose key is not in the table.
    ///
    /// - Returns: Its slot.
    mutating func insert(_ entry: consuming MemoryEntry) -> Int {
        if (count + 1) * 2 > cells.count { grow() }
        let slot = freeSlots.popLast() ?? slotCount
        slotCount = max(slotCount, slot + 1)
        place(Cell(hash: UInt32(truncatingIfNeeded: entry.fingerprint.low), slot: Int32(slot)))
        entries.initializeElement(at: slot, to: entry)
        count += 1
        return slot
    }

    /// Removes an entry, and closes the gap by moving entries that were probed past it, so that no tombstone is left.
    mutating func remove(at slot: Int) -> MemoryEntry {
        var gap = position(of: slot)
        var next = (gap + 1) & mask
        while cells[next].slot >= 0 {
            let distance = (next &- Int(truncatingIfNeeded: cells[next].hash)) & mask
            if distance >= (next - gap) & mask {
                cells[gap] = cells[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        cells[gap] = Cell()
        freeSlots.append(slot)
        count -= 1
        return entries.moveElement(from: slot)
    }

    /// The slots in use, in no order.
    var slots: [Int] { cells.compactMap { $0.slot >= 0 ? Int($0.slot) : nil } }

    private func position(of slot: Int) -> Int {
        var position = Int(UInt32(truncatingIfNeeded: entries[slot].fingerprint.low)) & mask
        while cells[position].slot != slot { position = (position + 1) & mask }
        return position
    }

    private mutating func place(_ cell: Cell) {
        var position = Int(truncatingIfNeeded: cell.hash) & mask
        while cells[position].slot >= 0 { position = (position + 1) & mask }
        cells[position] = cell
    }

    /// Doubles the capacity. All slots are taken then: there are half as many of them as cells.
    private mutating func grow() {
        let moved = Self.room(entries.count * 2)
        _ = moved.moveInitialize(fromContentsOf: entries)
        entries.deallocate()
        entries = moved
        let old = cells
        cells = Self.emptyCells(old.count * 2)
        for cell in old where cell.slot >= 0 { place(cell) }
        old.deallocate()
    }

    /// In whole cache lines, like the entries.
    private static func room(_ count: Int) -> UnsafeMutableBufferPointer<MemoryEntry> {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<MemoryEntry>.stride, alignment: 64)
        return UnsafeMutableBufferPointer(start: memory.bindMemory(to: MemoryEntry.self, capacity: count), count: count)
    }

    private static func emptyCells(_ count: Int) -> UnsafeMutableBufferPointer<Cell> {
        let cells = UnsafeMutableBufferPointer<Cell>.allocate(capacity: count)
        cells.initialize(repeating: Cell())
        return cells
    }
}
