import FoundationEssentials

/// All entries as one file: 64 bytes of header, then 40 bytes for each entry from the oldest to the newest.
enum SnapshotFormat {
    static let headerSize = 64
    static let itemSize = 40
    /// "WImgIndx"
    private static let signature: UInt64 = 0x7864_6e49_676d_4957
    static let version: UInt32 = 1

    /// What the header says beside lengths and checksums.
    struct Contents {
        /// The journal that goes on from here.
        let epoch: UInt64
        let table: EntryTable
    }

    /// The table in a file; nil when it is damaged.
    ///
    /// - Parameter order: The date to order by; when the file is ordered by another one, it is sorted.
    static func contents(of file: RawSpan, order: DiskCacheExpireType) -> Contents? {
        guard file.byteCount >= headerSize, file.integer(at: 0, as: UInt64.self) == signature,
            file.integer(at: 8, as: UInt32.self) == version,
            let fileOrder = DiskCacheExpireType(number: file.integer(at: 12, as: UInt32.self)),
            let count = Int(exactly: file.integer(at: 24, as: UInt64.self)),
            count == (file.byteCount - headerSize) / itemSize, file.byteCount == headerSize + count * itemSize,
            count < UInt32.max,
            file.integer(at: 56, as: UInt64.self) == XXH3.checksum(of: file.extracting(0..<56)),
            file.integer(at: 48, as: UInt64.self) == XXH3.checksum(of: file.extracting(headerSize...))
        else { return nil }
        let epoch = file.integer(at: 16, as: UInt64.self)
        if order == fileOrder {
            let table = EntryTable(order: order, count: count) { item(in: file, at: headerSize + $0 * itemSize) }
            return Contents(epoch: epoch, table: table)
        }
        let items = (0..<count).map { item(in: file, at: headerSize + $0 * itemSize) }
        return Contents(epoch: epoch, table: EntryTable(order: order, unordered: items) { $0.record[order].time })
    }

    static func item(in bytes: RawSpan, at offset: Int) -> EntryTable.Item {
        let name = DiskEntryName(
            high: bytes.integer(at: offset, as: UInt64.self), low: bytes.integer(at: offset + 8, as: UInt64.self))
        func date(_ position: Int) -> IndexDate {
            IndexDate(seconds: bytes.integer(at: offset + position, as: UInt32.self))
        }
        let record = IndexRecord(
            size: bytes.integer(at: offset + 16, as: UInt32.self),
            blocks: bytes.integer(at: offset + 20, as: UInt32.self),
            created: date(24), modified: date(28), changed: date(32), used: date(36))
        return (name, record)
    }

    static func append(_ item: EntryTable.Item, to bytes: inout Data) {
        bytes.append(integer: item.name.high)
        bytes.append(integer: item.name.low)
        bytes.append(integer: item.record.size)
        bytes.append(integer: item.record.blocks)
        for date in [item.record.created, item.record.modified, item.record.changed, item.record.used] {
            bytes.append(integer: date.seconds)
        }
    }

    /// The file of a table, to be followed by the journal of `epoch`.
    static func parts(of table: EntryTable, epoch: UInt64) -> [Data] {
        var body = Data(capacity: table.count * itemSize)
        table.forEach { append($0, to: &body) }
        var header = Data(capacity: headerSize)
        header.append(integer: signature)
        header.append(integer: version)
        header.append(integer: table.order.number)
        header.append(integer: epoch)
        header.append(integer: UInt64(table.count))
        header.append(Data(count: 16))
        header.append(integer: XXH3.checksum(of: body.bytes))
        header.append(integer: XXH3.checksum(of: header.bytes))
        return [header, body]
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
