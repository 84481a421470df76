import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageLoading
@testable import WebImageTestDoubles

/// Compares the tiles of a file with its whole decode.
struct TileCheck {
    let source: TileSource
    let base: Bitmap

    init(_ file: any RegionImageFile, kept: Data? = nil, tileSide: Int = 64) throws {
        source = try TileSource(file, tileSide: tileSide)
        base = try source.readBase()
        source.prepareRegions(kept: kept)
    }

    /// All tiles of a level, put together.
    func assemble(level: Int) throws -> Bitmap {
        let first = TileKey(level: level, column: 0, row: 0)
        if case .unread = source.readiness(of: first) { source.takeReading(for: first)?() }
        let size = source.grid.size(ofLevel: level)
        var pixels = [UInt8](repeating: 0, count: size.area * 4)
        let side = source.grid.side
        for row in 0..<(size.height + side - 1) / side {
            for column in 0..<(size.width + side - 1) / side {
                let key = TileKey(level: level, column: column, row: row)
                guard case .ready = source.readiness(of: key) else { throw TestFailure(text: "\(key) is not ready") }
                try source.decode([key], cancellation: CancellationFlag()) { key, bitmap in
                    let region = source.grid.region(of: key)
                    #expect(bitmap.size == region.size)
                    #expect(bitmap.colorSpace == source.file.colorSpace)
                    let bytes = bitmap.bytes
                    for y in 0..<bitmap.size.height {
                        let target = ((region.rows.lowerBound + y) * size.width + region.columns.lowerBound) * 4
                        let count = bitmap.size.width * 4
                        pixels.replaceSubrange(target..<target + count, with: bytes[y * count..<(y + 1) * count])
                    }
                }
            }
        }
        return try Bitmap(size: size, pixels: pixels)
    }

    /// Compares all levels, and the base, with `stored`: the whole picture as stored at a reduction.
    func expectEqual(_ stored: (_ reduction: Int) throws -> Bitmap, least: Double = 50) throws {
        for level in 0..<source.grid.levelCount {
            let whole = try stored(1 << level).oriented(source.grid.orientation)
            let tiles = try assemble(level: level)
            #expect(tiles.size == whole.size)
            #expect(peakSignalToNoise(tiles.bytes, whole.bytes) >= least, "level \(level)")
            let differences = largestDifferences(of: tiles, from: whole)
            #expect(differences.atEdges <= max(2, differences.elsewhere), "a seam in level \(level)")
        }
        let whole = try stored(source.grid.baseReduction).oriented(source.grid.orientation)
        #expect(base.size == whole.size)
        #expect(peakSignalToNoise(base.bytes, whole.bytes) >= least, "base")
    }

    /// The largest difference of a channel: of the pixels beside the edges of tiles, and of all others.
    private func largestDifferences(of tiles: Bitmap, from whole: Bitmap) -> (atEdges: Int, elsewhere: Int) {
        let (first, second, side) = (tiles.bytes, whole.bytes, source.grid.side)
        func isEdge(_ place: Int) -> Bool { place % side == 0 || place % side == side - 1 }
        var result = (atEdges: 0, elsewhere: 0)
        for place in first.indices where first[place] != second[place] {
            let (x, y) = (place / 4 % tiles.size.width, place / 4 / tiles.size.width)
            let difference = abs(Int(first[place]) - Int(second[place]))
            if isEdge(x) || isEdge(y) {
                result.atEdges = max(result.atEdges, difference)
            } else {
                result.elsewhere = max(result.elsewhere, difference)
            }
        }
        return result
    }
}

extension Bitmap {
    /// The upright picture of stored pixels, pixel by pixel.
    func oriented(_ orientation: ImageOrientation) throws -> Bitmap {
        let target = orientation.apply(to: size)
        let old = bytes
        var pixels = [UInt8](repeating: 0, count: old.count)
        let (lastX, lastY) = (size.width - 1, size.height - 1)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (column, row) =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (lastX - x, y)
                    case .down: (lastX - x, lastY - y)
                    case .downMirrored: (x, lastY - y)
                    case .leftMirrored: (y, x)
                    case .right: (lastY - y, x)
                    case .rightMirrored: (lastY - y, lastX - x)
                    case .left: (y, lastX - x)
                    }
                let (from, to) = ((y * size.width + x) * 4, (row * target.width + column) * 4)
                for channel in 0..<4 { pixels[to + channel] = old[from + channel] }
            }
        }
        return try Bitmap(size: target, pixels: pixels)
    }

    /// Half of each side: the mean of each two by two pixels, and of what there is at the edges.
    func halved() throws -> Bitmap {
        let target = size.reduced(by: 2)
        let old = bytes
        var pixels: [UInt8] = []
        pixels.reserveCapacity(target.area * 4)
        for y in 0..<target.height {
            let rows = 2 * y..<min(size.height, 2 * y + 2)
            for x in 0..<target.width {
                let columns = 2 * x..<min(size.width, 2 * x + 2)
                let count = rows.count * columns.count
                for channel in 0..<4 {
                    var sum = 0
                    for row in rows {
                        for column in columns { sum += Int(old[(row * size.width + column) * 4 + channel]) }
                    }
                    pixels.append(UInt8((sum + count / 2) / count))
                }
            }
        }
        return try Bitmap(size: target, pixels: pixels)
    }
}

extension ImageCoder {
    /// The whole picture as stored, at a reduction: by the decoder's own scaling to an eighth, by halving beyond it.
    func whole(_ data: Data, reduction: Int, ownScaling: Int, isWide: Bool = false) throws -> Bitmap {
        var options = ImageDecodeOptions()
        options.decodesToWideGamut = isWide
        options.appliesOrientation = false
        options.decodesFirstFrameOnly = true
        let scaled = min(reduction, ownScaling)
        if scaled > 1 {
            let size = try #require(try properties(of: data, isComplete: true))
            options.thumbnailPixelSize = size.orientation.apply(to: size.pixelSize).reduced(by: scaled)
            options.preservesAspectRatio = false
        }
        var bitmap = try decode(data, options: options).bitmap
        for _ in 0..<(reduction / scaled).trailingZeroBitCount { bitmap = try bitmap.halved() }
        return bitmap
    }
}
