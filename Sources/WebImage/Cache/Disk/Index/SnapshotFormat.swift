import FoundationEssentials

/// All entries as one file: a header of 64 bytes, then the entries from the oldest to the newest, in pieces of 4,096 with
/// a checksum each, so that none is in memory twice.
///
/// They stand in the file as they do in memory: it never leaves the machine, and a machine with another order of bytes
/// finds no signature in it.
enum SnapshotFormat {
    static let headerSize = 64
    static let version: UInt32 = 1
    /// "WImgIndx"
    private static let signature: UInt64 = 0x7864_6e49_676d_4957
    private static let checksumSize = 8

    /// One entry as it stands in the file.
    struct Item: BitwiseCopyable {
        static let size = 40

        let name: DiskEntryName
        let record: IndexRecord
    }

    /// What the header says.
    struct Header {
        let order: DiskCacheExpireType
        /// The journal that goes on from here.
        let epoch: UInt64
        let count: Int

        init(order: DiskCacheExpireType, epoch: UInt64, count: Int) {
            (self.order, self.epoch, self.count) = (order, epoch, count)
        }

        /// nil when it is damaged, or the file is not as long as it says.
        init?(_ bytes: RawSpan, fileSize: Int) {
            guard bytes.byteCount >= headerSize, bytes.integer(at: 0, as: UInt64.self) == signature,
                bytes.integer(at: 8, as: UInt32.self) == version,
                bytes.integer(at: 56, as: UInt64.self) == XXH3.checksum(of: bytes.extracting(0..<56)),
                let order = DiskCacheExpireType(number: bytes.integer(at: 12, as: UInt32.self)),
                let count = Int(exactly: bytes.integer(at: 24, as: UInt64.self)), count < UInt32.max
            else { return nil }
            self.init(order: order, epoch: bytes.integer(at: 16, as: UInt64.self), count: count)
            guard fileSize == headerSize + pieces.reduce(0, { $0 + SnapshotFormat.byteCount(of: $1) }) else {
                return nil
            }
        }

        var bytes: Data {
            var bytes = Data(capacity: headerSize)
            bytes.append(integer: signature)
            bytes.append(integer: version)
            bytes.append(integer: order.number)
            bytes.append(integer: epoch)
            bytes.append(integer: UInt64(count))
            bytes.append(Data(count: 24))
            bytes.append(integer: XXH3.checksum(of: bytes.bytes))
            return bytes
        }

        /// How many entries stand in each piece.
        var pieces: some Sequence<Int> {
            stride(from: 0, to: count, by: EntryTable.Builder.pieceSize).lazy.map { [count] start in
                min(EntryTable.Builder.pieceSize, count - start)
            }
        }
    }

    /// Bytes of a piece of so many entries.
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

    /// Calls `body` with the pieces of a file, the header first, each made when the one before is done with.
    static func forEachPiece<Failure: Error>(
        of table: EntryTable, epoch: UInt64, _ body: (Data) throws(Failure) -> Void
    ) throws(Failure) {
        try body(Header(order: table.order, epoch: epoch, count: table.count).bytes)
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

    /// Pieces that have changed places are damaged as well.
    private static func checksum(of items: RawSpan, after count: Int) -> UInt64 {
        XXH3.checksum(of: items) ^ UInt64(count)
    }
}

extension RawSpan {
    /// The entry at a place among all; traps when there is none.
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
