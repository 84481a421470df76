import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImageTestSupport

/// A literal computation of an animation's pixels: every frame is cut out of the file, decoded as a separate file, and
/// composited over copies of whole canvases by the specifications' formulas.
struct SlowComposition {
    enum Disposal { case keep, background, previous }

    struct Frame {
        /// Straight pixels.
        let pixels: [UInt8]
        let size: PixelSize
        let left: Int
        let top: Int
        let disposal: Disposal
        /// Whether it is blended over the canvas, instead of replacing it.
        let isLaidOver: Bool
    }

    let canvasSize: PixelSize
    let frames: [Frame]

    /// The straight pixels of the whole picture at each frame.
    func compose() -> [[UInt8]] {
        var canvas = [UInt8](repeating: 0, count: canvasSize.area * 4)
        return frames.enumerated().map { index, frame in
            let before = canvas
            forEachPixel(of: frame) { position, source in
                let over =
                    frame.isLaidOver
                    ? Self.over(frame.pixels[source..<source + 4], canvas[position..<position + 4]) : nil
                canvas.replaceSubrange(position..<position + 4, with: over ?? Array(frame.pixels[source..<source + 4]))
            }
            let seen = canvas
            switch frame.disposal {
            case .keep: break
            case .previous where index > 0: canvas = before
            case .background, .previous:
                forEachPixel(of: frame) { position, _ in
                    canvas.replaceSubrange(position..<position + 4, with: [0, 0, 0, 0])
                }
            }
            return seen
        }
    }

    private func forEachPixel(of frame: Frame, _ body: (_ position: Int, _ source: Int) -> Void) {
        for y in 0..<frame.size.height where frame.top + y < canvasSize.height {
            for x in 0..<frame.size.width where frame.left + x < canvasSize.width {
                let position = ((frame.top + y) * canvasSize.width + frame.left + x) * 4
                body(position, (y * frame.size.width + x) * 4)
            }
        }
    }

    /// PNG third edition §13.16: alpha compositing of straight colours.
    private static func over(_ source: ArraySlice<UInt8>, _ below: ArraySlice<UInt8>) -> [UInt8] {
        let (upper, lower) = (source.map(Double.init), below.map(Double.init))
        let share = (upper[3] / 255, lower[3] / 255 * (1 - upper[3] / 255))
        let alpha = share.0 + share.1
        guard alpha > 0 else { return [0, 0, 0, 0] }
        return (0..<3).map { UInt8(((upper[$0] * share.0 + lower[$0] * share.1) / alpha).rounded()) }
            + [UInt8((alpha * 255).rounded())]
    }
}

extension SlowComposition {
    /// Reads an animated PNG.
    init(apng data: Data) throws {
        var reader = ByteReader(data, format: .png)
        try reader.skip(8)
        // The chunks at the beginning of each frame's file, the first being IHDR.
        var head: [(String, [UInt8])] = []
        var frames: [(control: [UInt8], pixels: [UInt8])] = []
        var hasPixels = false
        while !reader.isAtEnd {
            let length = try reader.bigEndian(bytes: 4)
            let name = String(decoding: try reader.bytes(count: 4), as: UTF8.self)
            let content = Array(try reader.bytes(count: length))
            try reader.skip(4)
            switch name {
            case "acTL", "IEND": break
            case "fcTL": frames.append((content, []))
            case "IDAT":
                hasPixels = true
                if !frames.isEmpty { frames[frames.count - 1].pixels += content }
            case "fdAT": frames[frames.count - 1].pixels += content.dropFirst(4)
            default: if !hasPixels { head.append((name, content)) }
            }
        }
        canvasSize = Self.size(head[0].1[0..<8])
        self.frames = try frames.map { try Self.frame($0.control, $0.pixels, head) }
    }

    private static func frame(
        _ control: [UInt8], _ pixels: [UInt8], _ head: [(String, [UInt8])]
    ) throws -> Frame {
        var file = PNGBuilder()
        for (name, content) in head {
            file.append(name, name == "IHDR" ? Array(control[4..<12] + content[8...]) : content)
        }
        file.append("IDAT", pixels)
        file.appendEnd()
        let bitmap = try PNGCoder().decode(file.data, options: .storedPixels).bitmap
        let origin = size(control[12..<20])
        return Frame(
            pixels: bitmap.bytes, size: bitmap.size, left: origin.width, top: origin.height,
            disposal: [.keep, .background, .previous][Int(control[24])], isLaidOver: control[25] == 1)
    }

    /// Two numbers of four bytes.
    private static func size(_ bytes: ArraySlice<UInt8>) -> PixelSize {
        let numbers = [bytes.prefix(4), bytes.dropFirst(4)].map { $0.reduce(0) { $0 << 8 | Int($1) } }
        return PixelSize(width: numbers[0], height: numbers[1])
    }
}

extension SlowComposition {
    /// Reads a GIF.
    init(gif data: Data) throws {
        let bytes = Array(data)
        canvasSize = PixelSize(width: Self.number(bytes, 6), height: Self.number(bytes, 8))
        let globalColors = bytes[13..<13 + Self.tableLength(bytes[10])]
        var offset = globalColors.endIndex
        var control: [UInt8] = []
        var frames: [Frame] = []
        while bytes[offset] != 0x3B {
            let isPicture = bytes[offset] == 0x2C
            let tableEnd = offset + 10 + (isPicture ? Self.tableLength(bytes[offset + 9]) : 0)
            var end = isPicture ? tableEnd + 1 : offset + 2
            while bytes[end] != 0 { end += Int(bytes[end]) + 1 }
            end += 1
            if isPicture {
                frames.append(try Self.frame(bytes[offset..<end], control, screen: bytes[6..<13], globalColors))
                control = []
            } else if bytes[offset + 1] == 0xF9 {
                control = Array(bytes[offset..<end])
            }
            offset = end
        }
        self.frames = frames
    }

    private static func frame(
        _ picture: ArraySlice<UInt8>, _ control: [UInt8], screen: ArraySlice<UInt8>, _ colors: ArraySlice<UInt8>
    ) throws -> Frame {
        let place = Array(picture.prefix(10))
        // Alone on a screen of its own size.
        var file = Array("GIF89a".utf8) + place[5..<9] + screen.suffix(3) + colors + control
        file += [0x2C, 0, 0, 0, 0] + picture.dropFirst(5) + [0x3B]
        let bitmap = try GIFCoder().decode(Data(file), options: .storedPixels).bitmap
        let disposal = control.isEmpty ? 0 : Int(control[3]) >> 2 & 7
        return Frame(
            pixels: bitmap.bytes, size: bitmap.size, left: number(place, 1), top: number(place, 3),
            disposal: disposal == 3 ? .previous : disposal == 2 ? .background : .keep, isLaidOver: true)
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    private static func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}
