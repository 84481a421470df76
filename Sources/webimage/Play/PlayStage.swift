import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The place in the terminal where an animation is drawn, frame over frame, with a line below.
@MainActor
final class PlayStage {
    private let grid: PictureGrid
    private let screen: PictureScreen
    private let console: Console
    /// The rows of the frame that is drawn, with the line below.
    private var height = 0

    init(_ grid: PictureGrid, on screen: PictureScreen, console: Console) {
        self.grid = grid
        self.screen = screen
        self.console = console
    }

    /// Draws a frame in place of the one before it.
    ///
    /// - Parameter status: For the line below.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func draw(_ frame: Bitmap, status: String) throws(WebImageError) {
        let row = PictureRow(places: [PictureRow.Place(bitmap: frame, name: "")], grid: grid, screen: screen)
        let drawing = try row.drawing(withNames: false)
        var bytes = Data((height == 0 ? Self.hideCursor : Self.back(height)).utf8)
        bytes.append(drawing)
        bytes.append(contentsOf: (Self.clearLine + status.withoutControls.fitted(to: screen.columns)).utf8)
        height = row.height + 1
        console.printBytes(bytes)
    }

    /// Leaves the last frame, and begins below it.
    func end() {
        guard height > 0 else { return }
        height = 0
        console.printBytes(Data(("\n" + Self.showCursor).utf8))
    }

    // ECMA-48 §8.3: cursor preceding line, erase in line; and DEC's cursor modes.
    private static func back(_ height: Int) -> String { height > 1 ? "\u{1B}[\(height - 1)F" : "\r" }
    private static let clearLine = "\u{1B}[2K"
    private static let hideCursor = "\u{1B}[?25l"
    nonisolated static let showCursor = "\u{1B}[?25h"
}
