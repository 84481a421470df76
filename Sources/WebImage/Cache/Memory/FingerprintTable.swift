/// Slot numbers by fingerprint: a hash table of open addressing with linear probing, one cache line for most lookups.
///
/// It keeps no keys. Several slots may share a fingerprint; the caller says which one is meant.
struct FingerprintTable {
    private struct Cell {
        var fingerprint = 0
        var slot: Int32 = -1
    }

    private var cells = [Cell](repeating: Cell(), count: 16)
    private(set) var count = 0

    private var mask: Int { cells.count - 1 }

    /// The slot under `fingerprint` that `isMeant` accepts.
    func slot(for fingerprint: Int, where isMeant: (Int) -> Bool) -> Int? {
        let cells = cells.span
        let mask = cells.count - 1
        var position = fingerprint & mask
        while cells[position].slot >= 0 {
            let cell = cells[position]
            if cell.fingerprint == fingerprint, isMeant(Int(cell.slot)) { return Int(cell.slot) }
            position = (position + 1) & mask
        }
        return nil
    }

    /// Adds a slot that is not in the table.
    mutating func insert(_ slot: Int, for fingerprint: Int) {
        if (count + 1) * 2 > cells.count { grow() }
        place(Cell(fingerprint: fingerprint, slot: Int32(slot)))
        count += 1
    }

    /// Takes a slot out, and closes the gap by moving up those that probed past it, so that no tombstone stays behind.
    mutating func remove(_ slot: Int, for fingerprint: Int) {
        guard var gap = position(of: slot, for: fingerprint) else { return }
        var next = (gap + 1) & mask
        while cells[next].slot >= 0 {
            let distance = (next &- cells[next].fingerprint) & mask
            if distance >= (next - gap) & mask {
                cells[gap] = cells[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        cells[gap] = Cell()
        count -= 1
    }

    private func position(of slot: Int, for fingerprint: Int) -> Int? {
        var position = fingerprint & mask
        while cells[position].slot >= 0 {
            if cells[position].slot == slot { return position }
            position = (position + 1) & mask
        }
        return nil
    }

    private mutating func place(_ cell: Cell) {
        var position = cell.fingerprint & mask
        while cells[position].slot >= 0 { position = (position + 1) & mask }
        cells[position] = cell
    }

    private mutating func grow() {
        let old = cells
        cells = [Cell](repeating: Cell(), count: old.count * 2)
        for cell in old where cell.slot >= 0 { place(cell) }
    }
}
