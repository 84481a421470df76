import WebImageTestSupport
import Foundation
import Testing
import WebImageTesting

@testable import WebImage

@Suite("The files of the disk cache's index")
struct SnapshotFormatTests {
    private let directory: CacheDirectory
    private let files: IndexFiles

    init() throws {
        directory = try CacheDirectory()
        files = IndexFiles(cache: directory.path, fileSystem: POSIXFileSystem())
        try FileManager.default.createDirectory(atPath: files.directory, withIntermediateDirectories: true)
    }

    private func table(_ count: Int, order: DiskCacheExpireType = .accessDate) -> EntryTable {
        EntryTable(order: order, count: count) { number in
            let date = IndexDate(seconds: UInt32(number))
            return (
                .numbered(number),
                IndexRecord(
                    size: UInt32(number), blocks: 8, created: date, modified: date,
                    changed: IndexDate(seconds: UInt32(count - number)), used: date)
            )
        }
    }

    private func items(_ table: EntryTable?) -> [EntryTable.Item] {
        var items: [EntryTable.Item] = []
        table?.forEach { items.append($0) }
        return items
    }

    private func pieces(of table: EntryTable, epoch: UInt64) -> [Data] {
        var pieces: [Data] = []
        SnapshotFormat.forEachPiece(of: table, epoch: epoch) { pieces.append($0) }
        return pieces
    }

    private func file(_ table: EntryTable, epoch: UInt64 = 7) -> Data {
        pieces(of: table, epoch: epoch).reduce(Data(), +)
    }

    /// What is read of a file with that content.
    private func read(_ file: Data) throws -> (header: SnapshotFormat.Header, table: EntryTable)? {
        try file.write(to: URL(fileURLWithPath: "\(files.directory)/snapshot"))
        return try files.readSnapshot()
    }

    @Test(
        "a snapshot comes back with all entries in their order", arguments: [0, 1, 4096, 5000],
        DiskCacheExpireType.allCases)
    func roundTrip(count: Int, order: DiskCacheExpireType) throws {
        let table = table(count, order: order)
        let contents = try #require(try read(file(table)))
        #expect(contents.header.epoch == 7 && contents.header.order == order)
        #expect(contents.table.byteCount == table.byteCount)
        #expect(items(contents.table).elementsEqual(items(table), by: ==))
    }

    @Test("CCF-12 entries are sorted for another date")
    func otherOrder() throws {
        let table = EntryTable(order: .changeDate, table(100))
        #expect(items(table).map(\.record.byteCount) == (0..<100).reversed())
    }

    @Test("complaint 11: a bit flipped anywhere in a snapshot, an end cut off or pieces exchanged make it none")
    func damage() throws {
        let whole = file(table(5))
        for index in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << bit
                #expect(try read(damaged) == nil, "bit \(bit) of \(index)")
            }
            #expect(try read(whole.prefix(index)) == nil)
        }
        #expect(try read(whole + [0]) == nil)
        let inOrder = pieces(of: table(3 * 4096), epoch: 1)
        #expect(try read([0, 2, 1, 3].reduce(Data()) { $0 + inOrder[$1] }) == nil)
    }

    @Test("a change comes back from a journal, and not when a bit of it is flipped")
    func journalRecord() {
        for change: JournalRecord.Change in [.insert, .remove, .use, .reload] {
            let record = JournalRecord(change, .numbered(1), .sample(size: 12345), writer: 99)
            var bytes = Data()
            record.append(to: &bytes)
            #expect(bytes.count == JournalRecord.size && JournalRecord(bytes.bytes) == record)
            for index in bytes.indices {
                var damaged = bytes
                damaged[index] ^= 1 << (index % 8)
                #expect(JournalRecord(damaged.bytes) == nil)
            }
            #expect(JournalRecord(bytes.prefix(55).bytes) == nil)
        }
    }
}
