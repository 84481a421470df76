import Synchronization
import WebImageCore

/// The tiles of one picture that are in memory. Any thread.
///
/// Their memory counts in the budget that frames and the pictures of all caches share. Tiles that were visible least
/// recently go first, and those that are visible stay.
final class TilePool: Sendable {
    /// The bytes of tiles that are not visible.
    static let defaultSpareByteLimit = 64 << 20

    fileprivate struct Tile {
        let bitmap: Bitmap
        /// The look that used it last.
        var lastUse: Int
    }

    fileprivate struct State {
        var tiles: [TileKey: Tile] = [:]
        var visible: Set<TileKey> = []
        var look = 0
    }

    let budget: MemoryBudget
    private let pressure: MemoryPressure?
    private let spareByteLimit: Int
    private let state = Mutex(State())

    init(budget: MemoryBudget, pressure: MemoryPressure?, spareByteLimit: Int = TilePool.defaultSpareByteLimit) {
        self.budget = budget
        self.pressure = pressure
        self.spareByteLimit = spareByteLimit
        budget.add(self)
        pressure?.add(self)
    }

    deinit {
        budget.remove(ObjectIdentifier(self))
        pressure?.remove(ObjectIdentifier(self))
        clear()
    }

    /// The bytes of all tiles.
    var heldByteCount: Int { state.withLock { $0.tiles.values.reduce(0) { $0 + $1.bitmap.byteCount } } }

    /// The tiles that are there.
    var keys: Set<TileKey> { state.withLock { Set($0.tiles.keys) } }

    /// Calls `body` with what looks tiles up. No tile goes meanwhile.
    func withTiles<Result>(_ body: (_ tile: (TileKey) -> Bitmap?, _ keys: [TileKey]) -> Result) -> Result {
        let tiles = state.withLock { $0.tiles }
        return body({ tiles[$0]?.bitmap }, Array(tiles.keys))
    }

    /// Sets what is visible: these tiles stay.
    func setVisible(_ keys: Set<TileKey>) {
        let dropped = state.withLock { state in
            state.look += 1
            state.visible = keys
            for key in keys { state.tiles[key]?.lastUse = state.look }
            return state.dropSpare(above: spareByteLimit)
        }
        giveBack(dropped)
    }

    /// Takes memory for a tile before it is decoded.
    ///
    /// - Parameter isVisible: Then others make room for it.
    func reserve(_ byteCount: Int, isVisible: Bool) -> Bool { budget.takeFrame(byteCount, isNeeded: isVisible) }

    /// Gives back what was reserved for a tile that does not come.
    func release(_ byteCount: Int) { budget.giveBackFrame(byteCount) }

    /// Adds a tile, whose memory was reserved.
    func insert(_ bitmap: Bitmap, for key: TileKey) {
        let dropped = state.withLock { state in
            let old = state.tiles.updateValue(Tile(bitmap: bitmap, lastUse: state.look), forKey: key)
            return (old.map { [$0.bitmap] } ?? []) + state.dropSpare(above: spareByteLimit, except: key)
        }
        giveBack(dropped)
    }

    /// Drops all tiles.
    func clear() {
        giveBack(
            state.withLock { state in
                defer { state.tiles = [:] }
                return state.tiles.values.map(\.bitmap)
            })
    }

    private func giveBack(_ bitmaps: [Bitmap]) { for bitmap in bitmaps { budget.giveBackFrame(bitmap.byteCount) } }
}

extension TilePool: MemoryHolder {
    var holdsFrames: Bool { true }
    var isIdle: Bool { state.withLock { $0.visible.isEmpty } }

    func giveBack(_ byteCount: Int) { giveBack(state.withLock { $0.dropSpare(byteCount: byteCount) }) }
}

extension TilePool: MemoryPressureReceiver {
    func relieve(_ level: MemoryPressure.Level) { giveBack(.max) }
}

extension TilePool.State {
    /// Drops tiles that are not visible until they have no more than `limit` bytes.
    fileprivate mutating func dropSpare(above limit: Int, except kept: TileKey? = nil) -> [Bitmap] {
        let spare = tiles.reduce(0) { visible.contains($1.key) ? $0 : $0 + $1.value.bitmap.byteCount }
        return spare > limit ? dropSpare(byteCount: spare - limit, except: kept) : []
    }

    /// Drops up to `byteCount` bytes of tiles that are not visible, the least recently visible first.
    fileprivate mutating func dropSpare(byteCount: Int, except kept: TileKey? = nil) -> [Bitmap] {
        var (dropped, left): ([Bitmap], Int) = ([], byteCount)
        let spare = tiles.filter { !visible.contains($0.key) && $0.key != kept }
        for (key, tile) in spare.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where left > 0 {
            dropped.append(tile.bitmap)
            left -= tile.bitmap.byteCount
            tiles[key] = nil
        }
        return dropped
    }
}
