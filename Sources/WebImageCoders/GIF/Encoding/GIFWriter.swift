import FoundationEssentials
import WebImageCore

/// Writes the blocks of a GIF file (GIF89a §17–27).
struct GIFWriter {
    private(set) var data = Data("GIF89a".utf8)

    /// Both sides of a screen are 16-bit numbers.
    static let maximumSide = 0xFFFF

    init(size: PixelSize, globalColors: [UInt32]?) {
        appendNumber(size.width)
        appendNumber(size.height)
        let flags: UInt8 = globalColors.map { 0xF0 | UInt8(Self.tableBits($0.count) - 1) } ?? 0x70
        data.append(contentsOf: [flags, 0, 0])
        if let globalColors { appendTable(globalColors) }
    }

    /// The total number of plays, 0 for endless; a single play needs no block, which says how often it is repeated.
    mutating func appendLoopCount(_ count: Int) {
        guard count != 1 else { return }
        data.append(contentsOf: [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1])
        appendNumber(min(max(0, count - 1), 0xFFFF))
        data.append(0)
    }

    mutating func append(_ frame: GIFEncodedFrame) {
        data.append(contentsOf: [
            0x21, 0xF9, 4, UInt8(frame.disposal.rawValue << 2) | (frame.transparentIndex == nil ? 0 : 1),
        ])
        appendNumber(min(frame.hundredths, 0xFFFF))
        data.append(contentsOf: [frame.transparentIndex ?? 0, 0, 0x2C])
        for number in [
            frame.area.columns.lowerBound, frame.area.rows.lowerBound, frame.area.columns.count, frame.area.rows.count,
        ] { appendNumber(number) }
        if let colors = frame.localColors {
            data.append(0x80 | UInt8(Self.tableBits(colors.count) - 1))
            appendTable(colors)
        } else {
            data.append(0)
        }
        data.append(UInt8(frame.minimumCodeSize))
        data.append(contentsOf: frame.codes)
    }

    mutating func appendTrailer() { data.append(0x3B) }

    /// A table's size is a power of two.
    static func tableBits(_ count: Int) -> Int {
        var bits = 1
        while 1 << bits < count { bits += 1 }
        return bits
    }

    private mutating func appendTable(_ colors: [UInt32]) {
        for color in colors {
            let (red, green, blue) = color.channels
            data.append(contentsOf: [UInt8(red), UInt8(green), UInt8(blue)])
        }
        data.append(contentsOf: [UInt8](repeating: 0, count: 3 * ((1 << Self.tableBits(colors.count)) - colors.count)))
    }

    private mutating func appendNumber(_ number: Int) {
        data.append(contentsOf: [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)])
    }
}

/// One frame of a file.
struct GIFEncodedFrame {
    var area: AnimationCanvas.Area
    var disposal: GIFFrame.Disposal
    var hundredths: Int
    var transparentIndex: UInt8?
    /// nil where the frame uses the global colours.
    var localColors: [UInt32]?
    var minimumCodeSize: Int
    var codes: [UInt8]
}
