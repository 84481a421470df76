import WebImageGTK

/// Counts the cells that show their picture in the first possible frame: because they became visible with it, or were
/// bound while visible to a picture in memory.
final class Appearances {
    private(set) var count = 0
    private(set) var drawnAtOnce = 0
    /// Microseconds of processor time for binding each cell whose picture was in memory.
    private(set) var bindTimes: [Double] = []
    private var waiting: [Appearance] = []

    /// A cell with its picture, which the list may drop before the frame is drawn.
    private struct Appearance {
        weak var cell: PictureCell?
        let number: Int
        let drawCount: Int
    }

    /// A cell with its picture is visible now.
    func note(_ cell: PictureCell) {
        waiting.append(Appearance(cell: cell, number: cell.number, drawCount: cell.view.imageDrawCount))
    }

    /// A cell was bound to a picture that was in memory.
    func noteBind(taking nanoseconds: UInt64) { bindTimes.append(Double(nanoseconds) / 1000) }

    /// The next frame begins: the drawing of the one before is complete.
    func settle() {
        for appearance in waiting {
            guard let cell = appearance.cell, cell.number == appearance.number, cell.isMapped else { continue }
            count += 1
            if cell.view.imageDrawCount > appearance.drawCount { drawnAtOnce += 1 }
        }
        waiting.removeAll(keepingCapacity: true)
    }
}
