import CVideo
import FoundationEssentials
import WebImage

/// The bytes of a video. Any thread.
struct VideoFile: Sendable {
    let data: Data
    let format: ImageFormat

    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the container goes on behind the end of the bytes.
    init(_ data: Data, _ options: ImageDecodeOptions) throws(WebImageError) {
        self.data = data
        format = ImageFormat(sniffing: data)
        try options.checkCancellation()
        guard try VideoContainer(data, format).isWhole() else { throw .truncated(format) }
    }

    /// The properties of the video, read by GStreamer; pixels are not decoded.
    ///
    /// - Parameter readsTimes: Whether the times of all frames are read, and not only those before the size is known.
    func header(readsTimes: Bool, _ options: ImageDecodeOptions) throws(WebImageError) -> VideoHeader {
        let scan = try VideoStream(self) { bytes, count, message in
            webimage_video_scan(bytes, count, max(1, options.limits.maximumFrameCount), message)
        }
        let header = try scan.header(readsTimes: readsTimes, options)
        try options.limits.check(format, source: header.size, held: header.size)
        return header
    }
}

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
        guard format == .mp4, let movie = content(of: 0x6D6F_6F76, in: 0..<data.count),  // "moov"
            let extends = content(of: 0x6D76_6578, in: movie),  // "mvex"
            let length = content(of: 0x6D65_6864, in: extends)  // "mehd"
        else { return nil }
        return length.lowerBound - 4
    }

    /// The content of the first box of a type.
    private func content(of type: Int, in range: Range<Int>) -> Range<Int>? {
        var offset = range.lowerBound
        while let box = box(at: offset, before: range.upperBound) {
            if box.type == type { return box.content }
            offset = box.content.upperBound
        }
        return nil
    }

    /// Each box of an MP4 file has its length in front (ISO/IEC 14496-12 §4.2); nil for one that is not whole.
    private func box(at offset: Int, before end: Int) -> (type: Int, content: Range<Int>)? {
        guard end - offset >= 8 else { return nil }
        var (length, head) = (number(at: offset, bytes: 4), 8)
        if length == 0 { length = end - offset }
        if length == 1 {
            guard end - offset >= 16 else { return nil }
            (length, head) = (number(at: offset + 8, bytes: 8), 16)
        }
        guard length >= head, length <= end - offset else { return nil }
        return (number(at: offset + 4, bytes: 4), offset + head..<offset + length)
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

    private func byte(at offset: Int) -> UInt8 { data[data.startIndex + offset] }

    /// Big-endian; too large ones are larger than any file.
    private func number(at offset: Int, bytes count: Int) -> Int {
        let number = (0..<count).reduce(UInt64(0)) { $0 << 8 | UInt64(byte(at: offset + $1)) }
        return Int(clamping: number)
    }
}
