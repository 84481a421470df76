import FoundationEssentials
import WebImageCore
import WebImagePixels

/// Encodes frames as an animated PNG. Each frame holds the area that differs from the frame before, and replaces it;
/// the first one is also the default image for decoders without animations.
struct APNGCompressor {
    /// For one frame besides its bitmap: the frame before, copies of the area that differs, and its file.
    static let bytesPerPixel = 24

    private let frames: OutgoingFrames
    private var sequenceNumber = 0
    private var bytes: [UInt8] = []

    init(_ frames: OutgoingFrames) { self.frames = frames }

    mutating func encode() throws(WebImageError) -> Data {
        let hasAlpha = try !frames.areOpaque()
        bytes = PNGReader.signature
        var previous: Bitmap?
        for (index, duration) in frames.durations.enumerated() {
            let bitmap = try frames.bitmap(at: index, depth: .eight, colorSpace: frames.shallowColorSpace)
            let area = previous.map { bitmap.change(since: $0) } ?? bitmap.wholeArea
            let picture = try Self.chunks(of: bitmap, area, hasAlpha: hasAlpha)
            if index == 0 { appendHeader(picture.header, colors: picture.colors) }
            appendFrameControl(area, duration: duration)
            for data in picture.pixels { appendPixels(data, isDefaultImage: index == 0) }
            previous = bitmap
        }
        PNGChunk.append("IEND", Data(), to: &bytes)
        return Data(bytes)
    }

    /// A part of a picture, as the chunks of a separate file.
    private static func chunks(
        of bitmap: Bitmap, _ area: AnimationCanvas.Area, hasAlpha: Bool
    ) throws(WebImageError) -> (header: Data, colors: Data?, pixels: [Data]) {
        let part = try bitmap.part(area)
        let file = try part.withStraightPixels(in: part.colorSpace) { base, bytesPerRow throws(WebImageError) in
            let pixels = UnsafeRawBufferPointer(start: base, count: bytesPerRow * part.size.height)
            return try PNGCompressor.compress(pixels, of: part, PNGForm(hasAlpha: hasAlpha), cancellation: nil)
        }
        var reader = ByteReader(file, format: .png)
        try reader.skip(PNGReader.signature.count)
        var header = Data()
        var colors: Data?
        var pixels: [Data] = []
        while !reader.isAtEnd {
            let length = try reader.bigEndian(bytes: 4)
            let type = try reader.fourCharacterCode()
            let content = try reader.bytes(count: length)
            if type == "IHDR" { header = content }
            if type == "cICP" { colors = content }
            if type == "IDAT" { pixels.append(content) }
            try reader.skip(4)
        }
        return (header, colors, pixels)
    }
}

extension APNGCompressor {
    private mutating func appendHeader(_ header: Data, colors: Data?) {
        PNGChunk.append("IHDR", header, to: &bytes)
        if let colors { PNGChunk.append("cICP", colors, to: &bytes) }
        let control = PNGChunk.bigEndian(frames.count) + PNGChunk.bigEndian(frames.loopCount)
        PNGChunk.append("acTL", Data(control), to: &bytes)
    }

    private mutating func appendFrameControl(_ area: AnimationCanvas.Area, duration: Int) {
        var content = PNGChunk.bigEndian(takeSequenceNumber())
        for number in [area.columns.count, area.rows.count, area.columns.lowerBound, area.rows.lowerBound] {
            content += PNGChunk.bigEndian(number)
        }
        // Milliseconds while they fit into 16 bits, hundredths otherwise.
        let isLong = duration > 0xFFFF
        content += PNGChunk.bigEndian(min(isLong ? duration / 10 : duration, 0xFFFF)).suffix(2)
        content += PNGChunk.bigEndian(isLong ? 100 : 1000).suffix(2)
        // Disposal: none. Blending: replace.
        content += [0, 0]
        PNGChunk.append("fcTL", Data(content), to: &bytes)
    }

    private mutating func appendPixels(_ data: Data, isDefaultImage: Bool) {
        if isDefaultImage {
            PNGChunk.append("IDAT", data, to: &bytes)
        } else {
            PNGChunk.append("fdAT", Data(PNGChunk.bigEndian(takeSequenceNumber())) + data, to: &bytes)
        }
    }

    private mutating func takeSequenceNumber() -> Int {
        defer { sequenceNumber += 1 }
        return sequenceNumber
    }
}

extension Bitmap {
    /// A straight copy of an area.
    fileprivate func part(_ area: AnimationCanvas.Area) throws(WebImageError) -> Bitmap {
        let size = PixelSize(width: area.columns.count, height: area.rows.count)
        return try withStraightPixels(in: colorSpace) { base, bytesPerRow throws(WebImageError) in
            try Bitmap(
                size: size, format: .rgba8Straight, colorSpace: colorSpace
            ) { rows, rowByteCount throws(WebImageError) in
                for y in 0..<size.height {
                    let start = base + (area.rows.lowerBound + y) * bytesPerRow + area.columns.lowerBound * 4
                    (rows + y * rowByteCount).copyMemory(from: start, byteCount: size.width * 4)
                }
                return isOpaque
            }
        }
    }

    fileprivate var wholeArea: AnimationCanvas.Area {
        AnimationCanvas.Area(columns: 0..<size.width, rows: 0..<size.height)
    }

    /// The smallest area that contains all differences; at least one pixel, because a frame must have one.
    fileprivate func change(since before: Bitmap) -> AnimationCanvas.Area {
        guard size == before.size, format == before.format else { return wholeArea }
        return withUnsafeBytes { new in
            before.withUnsafeBytes { old in
                let pixels = new.assumingMemoryBound(to: UInt32.self)
                let others = old.assumingMemoryBound(to: UInt32.self)
                let rows = (0..<size.height).filter { y in
                    let row = y * bytesPerRow..<(y + 1) * bytesPerRow
                    return !new[row].elementsEqual(old[row])
                }
                guard let top = rows.first, let bottom = rows.last else {
                    return AnimationCanvas.Area(columns: 0..<1, rows: 0..<1)
                }
                let columns = (0..<size.width).filter { x in
                    rows.contains { y in pixels[y * size.width + x] != others[y * size.width + x] }
                }
                return AnimationCanvas.Area(
                    columns: (columns.first ?? 0)..<(columns.last ?? 0) + 1, rows: top..<bottom + 1)
            }
        }
    }
}
