import CChafa
import FoundationEssentials
import Glibc
import WebImage
import WebImageCommandLine

/// The place where pictures are drawn: a terminal with what it can, or a file.
struct PictureScreen: Sendable {
    let graphics: TerminalGraphics
    /// Of characters.
    let colors: UInt32
    /// In places of characters.
    let columns: Int
    let rows: Int
    /// The size of one place in pixels.
    let cell: PixelSize
    /// `NAME=VALUE`.
    private let environment: [String]

    /// - Parameters:
    ///   - graphics: What was asked for; nil for the best that the terminal has.
    ///   - colors: What was asked for; nil for the most that the terminal has.
    ///   - terminal: The size of the terminal; nil without one.
    init(
        graphics: TerminalGraphics?, colors: TerminalColors?, terminal: TerminalSize?, environment: [String: String]
    ) {
        self.environment = environment.map { "\($0)=\($1)" }
        let best = Self.abilities(self.environment)
        let isPlain = terminal == nil || environment["TERM", default: "dumb"] == "dumb"
        self.graphics = graphics ?? (isPlain ? .characters : best.graphics)
        // A person who wants no colours sets NO_COLOR (no-color.org).
        let isColorless = isPlain || environment["NO_COLOR", default: ""].isEmpty == false
        self.colors = colors?.count ?? (isColorless ? 0 : best.colors)
        columns = min(terminal?.columns ?? 80, Self.most.width)
        // Below the picture there is the line for the next command.
        rows = min(terminal.map { max(1, $0.rows - 1) } ?? 40, Self.most.height)
        cell = terminal?.cell ?? PixelSize(width: 10, height: 20)
    }

    /// The largest picture, in places of characters.
    static let most = PixelSize(width: 500, height: 200)

    private static func abilities(_ environment: [String]) -> (graphics: TerminalGraphics, colors: UInt32) {
        let found = withCStrings(environment) { webimage_terminal_of($0) }
        return (TerminalGraphics.allCases.first { $0.code == found.graphics } ?? .characters, found.colors)
    }

    /// The characters and control sequences for a picture, which fills `columns` × `rows` places; the cursor stays behind
    /// its last one.
    ///
    /// - Parameter bitmap: Premultiplied, of 8 bits a channel.
    func drawing(of bitmap: Bitmap, columns: Int, rows: Int) throws(WebImageError) -> Data {
        let text = withCStrings(environment) { environment in
            bitmap.withUnsafeBytes { bytes in
                var drawing = webimage_drawing()
                drawing.pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                drawing.bytes_per_row = bitmap.bytesPerRow
                (drawing.width, drawing.height) = (Int32(bitmap.size.width), Int32(bitmap.size.height))
                (drawing.columns, drawing.rows) = (Int32(columns), Int32(rows))
                (drawing.cell_width, drawing.cell_height) = (Int32(cell.width), Int32(cell.height))
                drawing.graphics = graphics.code
                drawing.colors = graphics == .characters ? colors : TerminalColors.all.count
                var count = 0
                let text = webimage_draw(&drawing, environment, &count)
                defer { webimage_drawing_free(text) }
                return text.map { Data(bytes: $0, count: count) }
            }
        }
        guard let text else { throw .outOfMemory(for: bitmap.size) }
        return text
    }
}

extension TerminalGraphics {
    fileprivate var code: webimage_graphics {
        switch self {
        case .characters: webimage_characters
        case .sixel: webimage_sixel
        case .kitty: webimage_kitty
        case .iTerm: webimage_iterm
        }
    }
}

/// Calls `body` with the strings as C has an environment.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(&pointers)
}
