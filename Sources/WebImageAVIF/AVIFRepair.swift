import FoundationEssentials
import WebImageCoders
import WebImageCore

/// Repairs files that libavif 0.11 rejects and later versions accept, because they are valid or harmless. Data with an
/// offset in the file keeps it.
struct AVIFRepair {
    private var bytes: Data
    private var isChanged = false

    /// A copy that libavif can read; nil where no repair is needed.
    static func mended(_ data: Data) -> Data? {
        var repair = AVIFRepair(bytes: Data(Array(data)))
        repair.closeLastBox()
        repair.hideOtherTracks()
        repair.joinAssociations()
        return repair.isChanged ? repair.bytes : nil
    }

    private init(bytes: Data) { self.bytes = bytes }

    /// The last box of a file may have a length of 0 and extend to the end of the file (ISO/IEC 14496-12 §4.2).
    private mutating func closeLastBox() {
        guard let last = boxes(in: bytes.indices).last, last.isOpen,
            let length = UInt32(exactly: bytes.count - last.start)
        else { return }
        write(Int(length), at: last.start)
    }

    /// Sound and text tracks have no size, which libavif requires of all tracks.
    private mutating func hideOtherTracks() {
        for movie in boxes(in: bytes.indices) where movie.type == "moov" {
            for track in boxes(in: movie.content) where track.type == "trak" {
                guard let media = boxes(in: track.content).first(where: { $0.type == "mdia" }),
                    let handler = boxes(in: media.content).first(where: { $0.type == "hdlr" }),
                    handler.content.count >= 12
                else { continue }
                let kind = FourCharacterCode(rawValue: UInt32(integer(at: handler.content.lowerBound + 8)))
                guard !["pict", "vide", "auxv"].contains(kind) else { continue }
                write(Int(FourCharacterCode("free").rawValue), at: track.start + 4)
            }
        }
    }

    /// Old writers split the property associations into several boxes with the same version and flags.
    private mutating func joinAssociations() {
        guard let meta = boxes(in: bytes.indices).first(where: { $0.type == "meta" }),
            let list = boxes(in: meta.content.dropFirst(MediaBox.versionLength)).first(where: { $0.type == "iprp" })
        else { return }
        let associations = boxes(in: list.content).filter { $0.type == "ipma" }
        guard let first = associations.first, let last = associations.last, associations.count > 1,
            associations.allSatisfy({ $0.content.count >= 8 && head($0) == head(first) }),
            let entries = associations.reduce(
                [], { all, box in all.flatMap { all in entries(of: box).map { all + $0 } } })
        else { return }
        let sorted = entries.sorted { $0.item < $1.item }
        var joined = Self.box(head(first), count: sorted.count, sorted.flatMap { Array(bytes[$0.range]) }, length: nil)
        // An empty box of another version fills the remaining room.
        let rest = last.content.upperBound - first.start - joined.count
        guard rest >= 16 else { return }
        joined += Self.box(head(first) ^ 1 << 24, count: 0, [], length: rest)
        bytes.replaceSubrange(first.start..<last.content.upperBound, with: joined)
        isChanged = true
    }

    private func head(_ box: MediaBox) -> Int { integer(at: box.content.lowerBound) }

    private func entries(of box: MediaBox) -> [(item: Int, range: Range<Int>)]? {
        let head = head(box)
        let (numberLength, indexLength) = (head >> 24 == 0 ? 2 : 4, head & 1 == 1 ? 2 : 1)
        var result: [(Int, Range<Int>)] = []
        var offset = box.content.lowerBound + 8
        while offset < box.content.upperBound {
            guard offset + numberLength < box.content.upperBound else { return nil }
            let count = Int(bytes[offset + numberLength])
            let end = offset + numberLength + 1 + count * indexLength
            guard end <= box.content.upperBound else { return nil }
            result.append((integer(at: offset, count: numberLength), offset..<end))
            offset = end
        }
        return result.count == integer(at: box.content.lowerBound + 4) ? result : nil
    }

    private static func box(_ head: Int, count: Int, _ entries: [UInt8], length: Int?) -> [UInt8] {
        let length = length ?? 16 + entries.count
        let numbers = [length, Int(FourCharacterCode("ipma").rawValue), head, count]
        let content = numbers.flatMap(digits) + entries
        return content + [UInt8](repeating: 0, count: length - content.count)
    }
}

extension AVIFRepair {
    private func boxes(in range: Range<Int>) -> [MediaBox] {
        MediaBox.readable(ByteReader(bytes, format: .avif, range: range))
    }

    private func integer(at offset: Int, count: Int = 4) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func write(_ value: Int, at offset: Int) {
        bytes.replaceSubrange(offset..<offset + 4, with: Self.digits(value))
        isChanged = true
    }

    private static func digits(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
