import Glibc
import WebImage

/// The size of a terminal.
package struct TerminalSize: Sendable, Equatable {
    /// In places of characters.
    package let columns: Int
    package let rows: Int
    /// The size of such a place in pixels; nil for a terminal that does not say.
    package let cell: PixelSize?

    /// nil for a terminal that does not say its size.
    init?(_ size: winsize) {
        guard size.ws_col > 0, size.ws_row > 0 else { return nil }
        columns = Int(size.ws_col)
        rows = Int(size.ws_row)
        let cell = PixelSize(width: Int(size.ws_xpixel) / columns, height: Int(size.ws_ypixel) / rows)
        // A size that no font has is a mistake.
        let sides = 4...200
        self.cell = sides.contains(cell.width) && sides.contains(cell.height) ? cell : nil
    }
}
