import Foundation
import Testing
import WebImageTesting

@testable import WebImage

@Suite("The files of the disk cache's index")
struct SnapshotFormatTests {
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

    private func file(_ table: EntryTable, epoch: UInt64 = 7) -> Data {
        SnapshotFormat.parts(of: table, epoch: epoch).reduce(Data(), +)
    }

    @Test(
        "a snapshot comes back with all entries in their order", arguments: [0, 1, 5000], DiskCacheExpireType.allCases)
    func roundTrip(count: Int, order: DiskCacheExpireType) throws {
        let table = table(count, order: order)
        let contents = try #require(SnapshotFormat.contents(of: file(table).bytes, order: order))
        #expect(contents.epoch == 7 && contents.table.byteCount == table.byteCount)
        #expect(items(contents.table).elementsEqual(items(table), by: ==))
    }

    @Test("CCF-12 a snapshot that is ordered by another date is sorted")
    func otherOrder() throws {
        let contents = try #require(SnapshotFormat.contents(of: file(table(100)).bytes, order: .changeDate))
        #expect(items(contents.table).map(\.record.byteCount) == (0..<100).reversed())
    }

    @Test("complaint 11: a bit flipped anywhere in a snapshot, or an end cut off, makes it none")
    func damage() {
        let whole = file(table(5))
        for index in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << bit
                #expect(SnapshotFormat.contents(of: damaged.bytes, order: .accessDate) == nil, "bit \(bit) of \(index)")
            }
            #expect(SnapshotFormat.contents(of: whole.prefix(index).bytes, order: .accessDate) == nil)
        }
        #expect(SnapshotFormat.contents(of: (whole + [0]).bytes, order: .accessDate) == nil)
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
