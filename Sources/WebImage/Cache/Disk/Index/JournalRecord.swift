import FoundationEssentials

/// One change of the index as it stands in a journal: 56 bytes with a checksum, appended in one piece.
struct JournalRecord: Hashable {
    static let size = 56

    enum Change: UInt32 {
        /// The entry was written, or found to be there.
        case insert = 1
        case remove = 2
        /// The entry was read; of the record only the date counts.
        case use = 3
        /// The snapshot that this journal follows was made anew from the files: what was known before counts no more.
        case reload = 4
    }

    let change: Change
    let name: DiskEntryName
    let record: IndexRecord
    /// Whose change it is, so that nobody takes its own for news.
    let writer: UInt64

    init(_ change: Change, _ name: DiskEntryName, _ record: IndexRecord, writer: UInt64) {
        (self.change, self.name, self.record, self.writer) = (change, name, record, writer)
    }

    /// The record in the first bytes; nil when they are damaged.
    init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= Self.size, let change = Change(rawValue: bytes.integer(at: 48, as: UInt32.self)),
            bytes.integer(at: 52, as: UInt32.self) == Self.checksum(of: bytes.extracting(0..<52))
        else { return nil }
        let item = bytes.item(at: 0)
        self.init(change, item.name, item.record, writer: bytes.integer(at: 40, as: UInt64.self))
    }

    /// With this each journal begins; to whoever reads on, it says nothing.
    static let beginning = JournalRecord(.use, DiskEntryName(high: 0, low: 0), .nothing, writer: 0)

    private static func checksum(of bytes: RawSpan) -> UInt32 { UInt32(truncatingIfNeeded: XXH3.checksum(of: bytes)) }

    func append(to bytes: inout Data) {
        let start = bytes.count
        withUnsafeBytes(of: name) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: record) { bytes.append(contentsOf: $0) }
        bytes.append(integer: writer)
        bytes.append(integer: change.rawValue)
        bytes.append(integer: Self.checksum(of: bytes.bytes.extracting(start..<bytes.count)))
    }
}

extension IndexRecord {
    /// Where a change says nothing of an entry but its name.
    static let nothing = IndexRecord(size: 0, writtenAt: FileTime(nanoseconds: 0))
}
