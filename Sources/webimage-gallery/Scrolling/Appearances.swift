import WebImageGTK

/// Counts which cells show their picture in the very frame in which they could: because they came into sight with it, or
/// were bound in sight to one that memory had.
final class Appearances {
    private(set) var count = 0
    private(set) var drawnAtOnce = 0
    /// Microseconds of processor time that it took to bind each of the cells whose picture was in memory.
    private(set) var bindTimes: [Double] = []
    private var waiting: [(cell: PictureCell, number: Int, drawCount: Int)] = []

    /// A cell is seen now, and has its picture.
    func note(_ cell: PictureCell) {
        waiting.append((cell, cell.number, cell.view.imageDrawCount))
    }

    /// A cell was bound to a picture that was in memory.
    func noteBind(taking nanoseconds: UInt64) { bindTimes.append(Double(nanoseconds) / 1000) }

    /// The next frame begins: what was to be drawn in the one before is drawn.
    func settle() {
        for (cell, number, drawCount) in waiting where cell.number == number && cell.isMapped {
            count += 1
            if cell.view.imageDrawCount > drawCount { drawnAtOnce += 1 }
        }
        waiting.removeAll(keepingCapacity: true)
    }
}
