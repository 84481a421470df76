import FoundationEssentials
import WebImageCoders
import WebImageCore

/// The outer structure of a file, as far as it says where the file ends.
struct VideoContainer {
    private let data: Data
    private let format: ImageFormat

    init(_ data: Data, _ format: ImageFormat) {
        self.data = data
        self.format = format
    }

    /// Whether all of the file is there.
    func isWhole() throws(WebImageError) -> Bool { format == .webM ? isWholeSegment : hasWholeBoxes }

    private var hasWholeBoxes: Bool {
        var offset = 0
        while data.count - offset >= 8 {
            guard let box = box(at: offset, before: data.count) else { return false }
            offset = box.content.upperBound
        }
        return true
    }

    /// The offset of the type of the box with the duration of all fragments (ISO/IEC 14496-12 §8.8.2); nil without one.
    var lengthOfFragments: Int? {
        guard format == .mp4, let movie = content(of: "moov", in: 0..<data.count),
            let extends = content(of: "mvex", in: movie),
            let length = content(of: "mehd", in: extends)
        else { return nil }
        return length.lowerBound - 4
    }

    /// Whether the first pictures of an MP4 file have the full range of luma by its colour box (ISO/IEC 14496-12 §12.1.5);
    /// false where it does not say.
    var isFullRange: Bool {
        guard format == .mp4, let movie = content(of: "moov", in: 0..<data.count) else { return false }
        let tracks = boxes(in: movie).filter { $0.type == "trak" }
        let colors = tracks.lazy.compactMap { firstEntry(of: $0.content).flatMap { content(of: "colr", in: $0) } }
        // Type, primaries, transfer and matrix precede it.
        guard let box = colors.first, box.count > 10, type(at: box.lowerBound) == "nclx" else { return false }
        return byte(at: box.lowerBound + 10) & 0x80 != 0
    }

    /// The boxes that describe the pictures of a track; something else, or nil, for a track of sound.
    private func firstEntry(of track: Range<Int>) -> Range<Int>? {
        var place: Range<Int>? = track
        for type: FourCharacterCode in ["mdia", "minf", "stbl", "stsd"] {
            place = place.flatMap { content(of: type, in: $0) }
        }
        // A version and a number of entries; an entry has 78 bytes in front of its boxes.
        guard let place, place.count > 8,
            let entry = box(at: place.lowerBound + 8, before: place.upperBound), entry.content.count > 78
        else { return nil }
        return entry.content.dropFirst(78)
    }

    /// The content of the first box of a type.
    private func content(of type: FourCharacterCode, in range: Range<Int>) -> Range<Int>? {
        boxes(in: range).first { $0.type == type }?.content
    }

    private func boxes(in range: Range<Int>) -> some Sequence<(type: FourCharacterCode, content: Range<Int>)> {
        sequence(state: range.lowerBound) { offset in
            guard let box = box(at: offset, before: range.upperBound) else { return nil }
            offset = box.content.upperBound
            return box
        }
    }

    /// Each box of an MP4 file has its length in front (ISO/IEC 14496-12 §4.2); nil for one that is not whole.
    private func box(at offset: Int, before end: Int) -> (type: FourCharacterCode, content: Range<Int>)? {
        guard end - offset >= 8 else { return nil }
        var (length, head) = (number(at: offset, bytes: 4), 8)
        if length == 0 { length = end - offset }
        if length == 1 {
            guard end - offset >= 16 else { return nil }
            (length, head) = (number(at: offset + 8, bytes: 8), 16)
        }
        guard length >= head, length <= end - offset else { return nil }
        return (type(at: offset + 4), offset + head..<offset + length)
    }

    /// A Matroska file is a head and one segment (RFC 9559 §5), of known length or up to the end.
    private var isWholeSegment: Bool {
        guard let head = element(at: 0), let length = head.length,
            length <= data.count - head.start, let segment = element(at: head.start + length)
        else { return false }
        return segment.length.map { $0 <= data.count - segment.start } ?? true
    }

    /// The start and the length of an element's content (RFC 8794 §4 to §6); no length where it is unknown.
    private func element(at offset: Int) -> (start: Int, length: Int?)? {
        guard offset < data.count else { return nil }
        let start = offset + byte(at: offset).leadingZeroBitCount + 1
        guard start < data.count else { return nil }
        let count = byte(at: start).leadingZeroBitCount + 1
        guard count <= 8, data.count - start >= count else { return nil }
        let ones = 1 << (7 * count) - 1
        let length = number(at: start, bytes: count) & ones
        return (start + count, length == ones ? nil : length)
    }

    private func type(at offset: Int) -> FourCharacterCode {
        FourCharacterCode(rawValue: UInt32(truncatingIfNeeded: number(at: offset, bytes: 4)))
    }

    private func byte(at offset: Int) -> UInt8 { data[data.startIndex + offset] }

    /// Big-endian; too large ones are larger than any file.
    private func number(at offset: Int, bytes count: Int) -> Int {
        let number = (0..<count).reduce(UInt64(0)) { $0 << 8 | UInt64(byte(at: offset + $1)) }
        return Int(clamping: number)
    }
}
