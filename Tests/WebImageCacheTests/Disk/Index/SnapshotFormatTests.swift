import Foundation
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache
@testable import WebImageTestDoubles

@Suite("The snapshot of the disk cache's index")
struct SnapshotFormatTests {
    private let directory: CacheDirectory
    private let files: IndexFiles

    init() throws {
        directory = try CacheDirectory()
        files = IndexFiles(fileSystem: POSIXFileSystem(), root: directory.path)
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

    /// Stamps of every other directory.
    private var stamps: DirectoryStamps {
        var stamps = DirectoryStamps()
        for number in stride(from: 0, to: UInt8(254), by: 2) {
            let time = FileTime(nanoseconds: -1 - Int64(number))
            stamps[number] = DirectoryStamp(inode: UInt64(number) + 1, modified: time)
        }
        return stamps
    }

    private func pieces(of table: EntryTable) -> [Data] {
        var pieces: [Data] = []
        SnapshotFormat.forEachPiece(of: table, stamps) { pieces.append($0) }
        return pieces
    }

    private func file(_ table: EntryTable) -> Data { pieces(of: table).reduce(Data(), +) }

    /// The contents of a file with these bytes; nil for a damaged one.
    private func read(_ file: Data) throws -> (table: EntryTable, stamps: DirectoryStamps)? {
        try file.write(to: URL(fileURLWithPath: "\(files.root)/snapshot"))
        guard case .whole(let table, let stamps) = try files.readSnapshot() else { return nil }
        return (table, stamps)
    }

    @Test(
        "a snapshot comes back with all entries in their order", arguments: [0, 1, 4096, 5000],
        DiskCacheExpireType.allCases)
    func roundTrip(count: Int, order: DiskCacheExpireType) throws {
        let table = table(count, order: order)
        let contents = try #require(try read(file(table)))
        #expect(contents.table.order == order)
        #expect((0...UInt8.max).allSatisfy { contents.stamps[$0] == stamps[$0] })
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
        // In the stamps, one bit of each byte is flipped; elsewhere, each bit.
        for index in whole.indices {
            for bit in (24..<4120).contains(index) ? index % 8..<index % 8 + 1 : 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << bit
                #expect(try read(damaged) == nil, "bit \(bit) of \(index)")
            }
            #expect(try read(whole.prefix(index)) == nil)
        }
        #expect(try read(whole + [0]) == nil)
        #expect(try read(whole) != nil)
        let inOrder = pieces(of: table(3 * 4096))
        #expect(try read([0, 2, 1, 3].reduce(Data()) { $0 + inOrder[$1] }) == nil)
    }
}
