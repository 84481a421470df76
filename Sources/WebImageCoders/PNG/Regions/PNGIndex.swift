import CPNG
import FoundationEssentials
import WebImageCore

/// A place behind a block of compressed pixels, with all that it takes to go on from there.
struct PNGCheckpoint: Sendable {
    /// The first row that can be read from here.
    let row: Int
    /// The next byte in the file, and those of its chunk from there on.
    let offset: Int
    let left: Int
    let place: webimage_png_scan_place
    let window: [UInt8]
    /// The row before.
    let prior: [UInt8]
    let partial: [UInt8]

    var byteCount: Int { window.count + prior.count + partial.count }
}

/// The checkpoints of a file, a few megabytes of pixels apart.
struct PNGIndex: Sendable {
    private(set) var checkpoints: [PNGCheckpoint] = []
    /// The rows that have been read.
    var readRows = 0
    /// The rows between two checkpoints, at least.
    let spacing: Int

    /// The most bytes of all checkpoints.
    private static let largestByteCount = 16 << 20
    private static let leastDistance = 2 << 20

    init(_ header: PNGHeader) {
        let row = header.rowByteCount + 1
        let count = max(1, Self.largestByteCount / (Int(WEBIMAGE_PNG_WINDOW_BYTES) + 2 * row))
        spacing = max(1, Self.leastDistance / row, (header.size.height + count - 1) / count)
    }

    /// Whether a place at `row` is wanted.
    func wants(_ row: Int) -> Bool { row - (checkpoints.last?.row ?? 0) >= spacing }

    mutating func append(_ checkpoint: PNGCheckpoint) { checkpoints.append(checkpoint) }

    /// The last place before a row; nil for the beginning.
    func checkpoint(before row: Int) -> PNGCheckpoint? { checkpoints.last { $0.row <= row } }
}

// MARK: - Keeping

extension PNGIndex {
    private static let version: UInt32 = 1
    private static let numberCount = 9

    /// Its bytes.
    var data: Data {
        var data = Data()
        data.append(integer: Self.version)
        data.append(integer: UInt32(checkpoints.count))
        for checkpoint in checkpoints {
            let numbers = [
                checkpoint.row, checkpoint.offset, checkpoint.left, Int(checkpoint.place.bits),
                Int(checkpoint.place.value), Int(checkpoint.place.window_count), Int(checkpoint.place.partial_count),
                checkpoint.prior.count, 0,
            ]
            for number in numbers { data.append(integer: UInt64(number)) }
            data.append(contentsOf: checkpoint.window)
            data.append(contentsOf: checkpoint.prior)
            data.append(contentsOf: checkpoint.partial)
        }
        return data
    }

    /// The index of an earlier reading; nil where it cannot be that of this file.
    init?(_ data: Data, of header: PNGHeader, byteCount: Int) {
        self.init(header)
        var reader = ByteReader(data, format: .png)
        do throws(WebImageError) {
            guard try reader.littleEndian(bytes: 4) == Int(Self.version) else { return nil }
            let count = try reader.littleEndian(bytes: 4)
            for _ in 0..<count {
                guard let checkpoint = try Self.read(&reader, header, byteCount),
                    checkpoint.row > checkpoints.last?.row ?? -1
                else { return nil }
                checkpoints.append(checkpoint)
            }
        } catch {
            return nil
        }
        guard reader.isAtEnd else { return nil }
        readRows = header.size.height
    }

    private static func read(
        _ reader: inout ByteReader, _ header: PNGHeader, _ byteCount: Int
    ) throws(WebImageError) -> PNGCheckpoint? {
        var numbers: [Int] = []
        for _ in 0..<numberCount { numbers.append(try reader.littleEndian(bytes: 8)) }
        let fits =
            (0...header.size.height).contains(numbers[0]) && (0...byteCount).contains(numbers[1])
            && (0...byteCount - numbers[1]).contains(numbers[2]) && (0...7).contains(numbers[3])
            && (0...255).contains(numbers[4]) && (0...Int(WEBIMAGE_PNG_WINDOW_BYTES)).contains(numbers[5])
            && (0...header.rowByteCount).contains(numbers[6]) && numbers[7] == header.rowByteCount
        guard fits else { return nil }
        let place = webimage_png_scan_place(
            bits: UInt32(numbers[3]), value: UInt32(numbers[4]), window_count: UInt32(numbers[5]),
            partial_count: UInt32(numbers[6]))
        return PNGCheckpoint(
            row: numbers[0], offset: numbers[1], left: numbers[2], place: place,
            window: Array(try reader.bytes(count: numbers[5])), prior: Array(try reader.bytes(count: numbers[7])),
            partial: Array(try reader.bytes(count: numbers[6])))
    }
}
