import FoundationEssentials
import WebImageCore

/// All entries in one file: a header with the stamps of all directories, then the entries from the oldest to the
/// newest, in pieces of 4,096 with a checksum each, so that no entry is in memory twice.
///
/// The file has the layout of memory: it never leaves the machine, and on a machine with another byte order its
/// signature does not match.
enum SnapshotFormat {
    /// The size of the header before the stamps.
    private static let fixedSize = 24
    static let headerSize = fixedSize + 256 * DirectoryStamp.size + checksumSize
    static let version: UInt32 = 2
    /// "WImgIndx"
    private static let signature: UInt64 = 0x7864_6e49_676d_4957
    private static let checksumSize = 8

    /// One entry in the file.
    struct Item: BitwiseCopyable {
        static let size = 40

        let name: DiskEntryName
        let record: IndexRecord
    }

    /// The header of the file.
    struct Header {
        let order: DiskCacheExpireType
        let count: Int
        let stamps: DirectoryStamps

        init(order: DiskCacheExpireType, count: Int, stamps: DirectoryStamps) {
            (self.order, self.count, self.stamps) = (order, count, stamps)
        }

        /// nil when it is damaged, or the file does not have the length that it says.
        init?(_ bytes: RawSpan, fileSize: Int) {
            let checked = headerSize - checksumSize
            guard bytes.byteCount == headerSize, bytes.integer(at: 0, as: UInt64.self) == signature,
                bytes.integer(at: 8, as: UInt32.self) == version,
                bytes.integer(at: checked, as: UInt64.self) == XXH3.checksum(of: bytes.extracting(0..<checked)),
                let order = DiskCacheExpireType(number: bytes.integer(at: 12, as: UInt32.self)),
                let count = Int(exactly: bytes.integer(at: 16, as: UInt64.self)), count < UInt32.max
            else { return nil }
            self.init(order: order, count: count, stamps: DirectoryStamps(bytes.extracting(fixedSize..<checked)))
            guard fileSize == headerSize + pieces.reduce(0, { $0 + SnapshotFormat.byteCount(of: $1) }) else {
                return nil
            }
        }

        var bytes: Data {
            var bytes = Data(capacity: headerSize)
            bytes.append(integer: signature)
            bytes.append(integer: version)
            bytes.append(integer: order.number)
            bytes.append(integer: UInt64(count))
            bytes.append(stamps)
            bytes.append(integer: XXH3.checksum(of: bytes.bytes))
            return bytes
        }

        /// The number of entries in each piece.
        var pieces: some Sequence<Int> {
            stride(from: 0, to: count, by: EntryTable.Builder.pieceSize).lazy.map { [count] start in
                min(EntryTable.Builder.pieceSize, count - start)
            }
        }
    }

    /// Whether the file is a snapshot of another version, which is no damage.
    static func isOfOtherVersion(_ bytes: RawSpan) -> Bool {
        bytes.byteCount >= 12 && bytes.integer(at: 0, as: UInt64.self) == signature
            && bytes.integer(at: 8, as: UInt32.self) != version
    }

    /// Bytes of a piece of `count` entries.
    static func byteCount(of count: Int) -> Int { count * Item.size + checksumSize }

    /// Adds the entries of a piece; false when it is damaged.
    static func append(_ piece: RawSpan, of count: Int, to table: inout EntryTable.Builder) -> Bool {
        let size = count * Item.size
        guard piece.byteCount == byteCount(of: count),
            piece.integer(at: size, as: UInt64.self)
                == checksum(of: piece.extracting(0..<size), after: table.count)
        else { return false }
        table.append(count: count) { piece.item(at: $0) }
        return true
    }

    /// Calls `body` with the pieces of a file, the header first; each piece is made after the one before is released.
    static func forEachPiece<Failure: Error>(
        of table: EntryTable, _ stamps: DirectoryStamps, _ body: (Data) throws(Failure) -> Void
    ) throws(Failure) {
        try body(Header(order: table.order, count: table.count, stamps: stamps).bytes)
        var items: [Item] = []
        items.reserveCapacity(EntryTable.Builder.pieceSize)
        var count = 0
        try table.forEach { name, record throws(Failure) in
            items.append(Item(name: name, record: record))
            guard items.count == EntryTable.Builder.pieceSize else { return }
            try body(piece(of: items, after: count))
            count += items.count
            items.removeAll(keepingCapacity: true)
        }
        if !items.isEmpty { try body(piece(of: items, after: count)) }
    }

    private static func piece(of items: [Item], after count: Int) -> Data {
        var piece = Data(capacity: byteCount(of: items.count))
        items.withUnsafeBytes { piece.append(contentsOf: $0) }
        piece.append(integer: checksum(of: piece.bytes, after: count))
        return piece
    }

    /// Includes the position: pieces in the wrong order count as damaged, too.
    private static func checksum(of items: RawSpan, after count: Int) -> UInt64 {
        XXH3.checksum(of: items) ^ UInt64(count)
    }
}

extension RawSpan {
    /// The entry at a position; traps when there is none.
    func item(at index: Int) -> EntryTable.Item {
        let item = unsafeLoadUnaligned(
            fromByteOffset: index * SnapshotFormat.Item.size, as: SnapshotFormat.Item.self)
        return (item.name, item.record)
    }
}

extension DiskCacheExpireType {
    fileprivate var number: UInt32 {
        switch self {
        case .accessDate: 0
        case .modificationDate: 1
        case .creationDate: 2
        case .changeDate: 3
        }
    }

    fileprivate init?(number: UInt32) {
        guard let type = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = type
    }
}

extension DirectoryStamps {
    /// Reads 256 stamps.
    fileprivate init(_ bytes: RawSpan) {
        self.init()
        for number in 0...UInt8.max {
            let offset = Int(number) * DirectoryStamp.size
            let inode = bytes.integer(at: offset, as: UInt64.self)
            let modified = FileTime(nanoseconds: bytes.integer(at: offset + 8, as: Int64.self))
            self[number] = inode == 0 ? nil : DirectoryStamp(inode: inode, modified: modified)
        }
    }
}

extension Data {
    fileprivate mutating func append(_ stamps: DirectoryStamps) {
        for number in 0...UInt8.max {
            append(integer: stamps[number]?.inode ?? 0)
            append(integer: stamps[number]?.modified.nanoseconds ?? 0)
        }
    }
}
