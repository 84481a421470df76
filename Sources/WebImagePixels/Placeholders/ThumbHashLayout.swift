import FoundationEssentials
import WebImageCore

/// The places of the numbers in a ``ThumbHash``.
///
/// | bits, the first one the lowest of the first byte | what |
/// |---|---|
/// | 0–5, 6–11, 12–17 | the means of luminance, yellow against blue, and red against green |
/// | 18–22, 23 | the largest wave of luminance; whether there is alpha |
/// | 24–26 | the waves of luminance along the shorter side |
/// | 27–32, 33–38, 39 | the largest waves of both colour differences; whether the picture is wider than high |
/// | 40–43, 44–47 | with alpha: its mean and its largest wave |
/// | 4 each | the waves of luminance, of both colour differences, and of alpha, from -1 to 1 times the largest |
struct ThumbHashLayout: Hashable {
    /// The bytes that the layout is known from.
    static let headSize = 5
    /// The waves of colour differences and of alpha, along both sides.
    static let colors = Triangle(columns: 3, rows: 3)
    static let alphas = Triangle(columns: 5, rows: 5)

    let hasAlpha: Bool
    let isLandscape: Bool
    /// The proportions: the waves of luminance before there are at least three.
    let columns, rows: Int

    /// The waves of a channel: those near the first one, in both directions together.
    struct Triangle: Hashable {
        let columns, rows: Int

        /// All but the constant wave, in the order of the format.
        var waves: [(column: Int, row: Int)] {
            var waves: [(column: Int, row: Int)] = []
            for row in 0..<rows {
                let first = row == 0 ? 1 : 0
                for column in first..<columns where column * rows < columns * (rows - row) {
                    waves.append((column, row))
                }
            }
            return waves
        }
    }

    /// The layout for a picture.
    init(size: PixelSize, hasAlpha: Bool) {
        let longer = Self.longerWaves(hasAlpha: hasAlpha)
        func waves(_ length: Int) -> Int {
            max(1, Int((Double(longer * length) / Double(max(size.width, size.height))).rounded()))
        }
        self.hasAlpha = hasAlpha
        isLandscape = size.width > size.height
        columns = waves(size.width)
        rows = waves(size.height)
    }

    /// The layout that the first bytes tell; nil for too few of them, and for a picture without proportions.
    init?(_ bytes: Data) {
        guard bytes.count >= Self.headSize else { return nil }
        let head = Array(bytes.prefix(Self.headSize))
        hasAlpha = head[2] & 0x80 != 0
        isLandscape = head[4] & 0x80 != 0
        let (longer, shorter) = (Self.longerWaves(hasAlpha: hasAlpha), Int(head[3] & 7))
        guard shorter > 0 else { return nil }
        columns = isLandscape ? longer : shorter
        rows = isLandscape ? shorter : longer
    }

    /// Alpha takes the place of some waves of luminance.
    private static func longerWaves(hasAlpha: Bool) -> Int { hasAlpha ? 5 : 7 }

    var luminances: Triangle { Triangle(columns: max(3, columns), rows: max(3, rows)) }

    /// The channels' waves in the order of the format: luminance, both colour differences, alpha.
    var channels: [Triangle] { [luminances, Self.colors, Self.colors] + (hasAlpha ? [Self.alphas] : []) }

    /// The largest number of waves along each side.
    var waveColumns: Int { max(luminances.columns, hasAlpha ? Self.alphas.columns : 0) }
    var waveRows: Int { max(luminances.rows, hasAlpha ? Self.alphas.rows : 0) }

    /// The bytes before those of the waves.
    var wavesOffset: Int { hasAlpha ? 6 : 5 }

    var byteCount: Int { wavesOffset + (channels.reduce(0) { $0 + $1.waves.count } + 1) / 2 }
}
