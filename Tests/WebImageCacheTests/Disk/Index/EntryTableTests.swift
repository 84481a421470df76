import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageCache

@Suite("The table of a disk cache's entries")
struct EntryTableTests {
    @Test(
        "DSK-7 CCF-12 100,000 random changes leave the same as in a dictionary that is sorted each time",
        arguments: DiskCacheExpireType.allCases)
    func model(order: DiskCacheExpireType) {
        var random = SeededGenerator(seed: 20)
        var table = EntryTable(order: order)
        var model = NaiveTable(order: order)
        var clock: UInt32 = 1_000_000
        for step in 0..<100_000 {
            // Sometimes the clock is set back.
            clock =
                Int.random(in: 0..<5000, using: &random) == 0
                ? clock - 5000 : clock + .random(in: 0...2, using: &random)
            let now = IndexDate(seconds: clock)
            let number = Int.random(in: 0..<200, using: &random)
            let name = number % 8 == 0 ? DiskEntryName.ofPartialBody(number) : .numbered(number)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3:
                let record = IndexRecord.random(writtenAt: clock, now: clock, using: &random)
                table.forgetFuture(after: now)
                model.forgetFuture(after: now)
                table.insert(record, for: name)
                model.insert(record, for: name)
            case 3:
                // A change by another process is noted late.
                let record = IndexRecord.random(writtenAt: clock - 100, now: clock, using: &random)
                table.insert(record, for: name)
                model.insert(record, for: name)
            case 4..<8:
                table.forgetFuture(after: now)
                model.forgetFuture(after: now)
                #expect(table.use(name, at: now) == model.use(name, at: now))
            default:
                #expect(table.remove(name) == model.remove(name))
            }
            if table[name] != model[name] || table.count != model.entries.count || table.byteCount != model.byteCount
                || table.allocatedSize != model.allocatedSize || step % 500 == 0 && !isSame(table, model)
            {
                Issue.record("different after step \(step)")
                return
            }
        }
    }

    private func isSame(_ table: EntryTable, _ model: NaiveTable) -> Bool {
        let expected = model.sorted
        var items: [EntryTable.Item] = []
        table.forEach { items.append($0) }
        let limit = IndexDate(seconds: items.isEmpty ? 0 : items[items.count / 2].record[table.order].seconds)
        let victims = table.victims(for: .nothingOlder(limit.time), limit: 64)
        let whole = expected.drop { $0.name.isOfPartialBody }
        let expectedVictims =
            (expected.filter { $0.name.isOfPartialBody && $0.record[table.order] <= limit }
            + whole.prefix { $0.record[table.order] <= limit }).prefix(64)
        return items.elementsEqual(expected, by: ==) && victims.elementsEqual(expectedVictims, by: ==)
    }

    @Test("a copy does not change with the original")
    func copy() {
        var table = EntryTable(order: .accessDate)
        for number in 0..<10_000 { table.insert(.sample(size: number), for: .numbered(number)) }
        let copy = table
        for number in 0..<5000 { table.remove(.numbered(number)) }
        for number in 5000..<6000 { table.insert(.sample(size: 1), for: .numbered(number)) }
        #expect(copy.count == 10_000 && table.count == 5000)
        #expect((0..<10_000).allSatisfy { copy[.numbered($0)]?.byteCount == $0 })
        var numbers: [Int] = []
        copy.forEach { numbers.append($0.record.byteCount) }
        #expect(numbers == Array(0..<10_000))
    }

    @Test("a table built at once equals one built step by step, also after further changes")
    func building() {
        for count in [0, 1, 2, 3, 4095, 4096, 4097, 10_000] {
            var built = EntryTable(order: .accessDate, count: count) { (.numbered($0), .sample(size: $0)) }
            var grown = EntryTable(order: .accessDate)
            for number in 0..<count { grown.insert(.sample(size: number), for: .numbered(number)) }
            for table in [built, grown] {
                #expect(table.count == count && table.byteCount == (0..<count).reduce(0, +))
                #expect((0..<count).allSatisfy { table[.numbered($0)]?.byteCount == $0 })
            }
            built.insert(.sample(size: 9), for: .numbered(count))
            built.remove(.numbered(0))
            let oldest = built.victims(for: .atMost(EvictionGoal.Amount(count: 0, size: 0)), limit: 1).first
            #expect(oldest?.name == (count == 0 ? nil : .numbered(1)))
        }
    }

    @Test("partial bodies come first in a table that is built at once, in any way")
    func partialBodies() {
        let numbers = Array(0..<100)
        let name = { (number: Int) in
            number % 2 == 0 ? DiskEntryName.numbered(number) : .ofPartialBody(number)
        }
        let table = EntryTable(
            order: .accessDate, unordered: numbers, item: { (name($0), .sample(size: $0)) },
            time: { FileTime(seconds: 1_000_000 - $0, nanoseconds: 0) })
        let expected =
            stride(from: 99, to: 0, by: -2).map { name($0) } + stride(from: 98, through: 0, by: -2).map { name($0) }
        for table in [table, EntryTable(order: .modificationDate, table)] {
            var names: [DiskEntryName] = []
            table.forEach { names.append($0.name) }
            #expect(
                names.prefix(50).allSatisfy(\.isOfPartialBody)
                    && !names.dropFirst(50).contains(where: \.isOfPartialBody))
            #expect(table.order == .modificationDate || names == expected)
            var changed = table
            changed.insert(.sample(size: 1), for: .ofPartialBody(1000))
            changed.insert(.sample(size: 1), for: .numbered(1001))
            for number in stride(from: 1, to: 100, by: 2) { changed.remove(.ofPartialBody(number)) }
            let victims = changed.victims(for: .atMost(EvictionGoal.Amount(count: 0, size: 0)), limit: .max)
            #expect(victims.count == 52 && victims.first?.name == .ofPartialBody(1000))
            #expect(victims.dropFirst().allSatisfy { !$0.name.isOfPartialBody })
        }
    }

    @Test("entries in any order are sorted once")
    func unordered() {
        var random = SeededGenerator(seed: 3)
        let numbers = (0..<5000).shuffled(using: &random)
        let table = EntryTable(
            order: .modificationDate, unordered: numbers, item: { (.numbered($0), .sample(size: $0)) },
            time: { FileTime(nanoseconds: Int64($0)) })
        var found: [Int] = []
        table.forEach { found.append($0.record.byteCount) }
        #expect(found == Array(0..<5000))
    }

    @Test("victims are chosen in small batches, and entries that cannot be removed are skipped")
    func batches() {
        var table = EntryTable(order: .accessDate)
        for number in 0..<1000 { table.insert(.sample(size: 1), for: .numbered(number)) }
        let goal = EvictionGoal.atMost(EvictionGoal.Amount(count: 500, size: .max))
        #expect(table.victims(for: goal, limit: 64).map(\.name) == (0..<64).map { .numbered($0) })
        #expect(table.victims(for: goal, after: .numbered(63), limit: 2).map(\.name) == [.numbered(64), .numbered(65)])
        #expect(table.victims(for: goal, limit: .max).count == 500)
    }

    @Test("an entry with an earlier date goes to its place, unless that is far away: then it gets a later date")
    func late() {
        func dates(_ count: Int) -> [Int] {
            var table = EntryTable(order: .accessDate)
            for number in 0..<count {
                table.insert(
                    IndexRecord(size: 1, writtenAt: FileTime(seconds: 2000 + number, nanoseconds: 0)),
                    for: .numbered(number))
            }
            table.insert(
                IndexRecord(size: 2, writtenAt: FileTime(seconds: 1000, nanoseconds: 0)), for: .numbered(count))
            var dates: [Int] = []
            table.forEach {
                if $0.record.byteCount == 2 || !dates.isEmpty { dates.append(Int($0.record.used.seconds)) }
            }
            return dates
        }
        #expect(dates(EntryTable.mostSteps) == [1000] + (2000..<2000 + EntryTable.mostSteps))
        #expect(dates(EntryTable.mostSteps + 3) == [2002] + (2003..<2003 + EntryTable.mostSteps))
    }

    @Test("dates and sizes out of range become the nearest in range")
    func ranges() {
        #expect(IndexDate(FileTime(nanoseconds: .min)).seconds == 0)
        #expect(IndexDate(FileTime(nanoseconds: .max)).seconds == .max)
        #expect(
            IndexRecord(size: .max, writtenAt: FileTime(nanoseconds: 0)).byteCount == DiskEntryFormat.largestFile + 1)
        #expect(IndexRecord(size: .min, writtenAt: FileTime(nanoseconds: 0)).byteCount == 0)
    }
}

/// The simplest implementation of the table: a dictionary, and an array that is searched from its end.
private struct NaiveTable {
    let order: DiskCacheExpireType
    var entries: [DiskEntryName: IndexRecord] = [:]
    private var row: [DiskEntryName] = []

    init(order: DiskCacheExpireType) { self.order = order }

    subscript(name: DiskEntryName) -> IndexRecord? { entries[name] }

    var byteCount: Int { entries.values.reduce(0) { $0 + $1.byteCount } }
    var allocatedSize: Int { entries.values.reduce(0) { $0 + $1.allocatedSize } }

    var sorted: [EntryTable.Item] { row.compactMap { name in entries[name].map { (name, $0) } } }

    mutating func insert(_ record: IndexRecord, for name: DiskEntryName) {
        let keepsItsPlace = order == .creationDate && entries[name]?.created == record.created
        entries[name] = record
        if !keepsItsPlace { putIntoRow(name, record[order]) }
    }

    mutating func use(_ name: DiskEntryName, at date: IndexDate) -> Bool {
        guard var record = entries[name] else { return false }
        record.used = max(record.used, date)
        entries[name] = record
        if order == .accessDate { putIntoRow(name, record[order]) }
        return true
    }

    mutating func remove(_ name: DiskEntryName) -> IndexRecord? {
        row.removeAll { $0 == name }
        return entries.removeValue(forKey: name)
    }

    mutating func forgetFuture(after now: IndexDate) {
        for (name, record) in entries where record[order] > now { entries[name]?[order] = now }
    }

    private mutating func putIntoRow(_ name: DiskEntryName, _ date: IndexDate) {
        row.removeAll { $0 == name }
        let isPartial = name.isOfPartialBody
        let older = row.lastIndex {
            $0.isOfPartialBody == isPartial && entries[$0].map { $0[order] <= date } ?? false
        }
        row.insert(name, at: older.map { $0 + 1 } ?? (isPartial ? 0 : row.count { $0.isOfPartialBody }))
    }
}

extension DiskEntryName {
    static func numbered(_ number: Int) -> DiskEntryName { DiskEntryName(CacheKey("\(number)")) }

    static func ofPartialBody(_ number: Int) -> DiskEntryName { DiskEntryName(CacheKey("\(number)").partialBody) }
}

extension IndexRecord {
    static func sample(size: Int) -> IndexRecord {
        IndexRecord(size: size, writtenAt: FileTime(seconds: 1_000_000, nanoseconds: 0))
    }

    fileprivate static func random(writtenAt seconds: UInt32, now: UInt32, using random: inout SeededGenerator)
        -> IndexRecord
    {
        let written = IndexDate(seconds: seconds)
        let created = IndexDate(seconds: Bool.random(using: &random) ? seconds : seconds / 1000 * 1000)
        return IndexRecord(
            size: .random(in: 0...100_000, using: &random), blocks: .random(in: 0...200, using: &random),
            created: created, modified: written, changed: written, used: written)
    }
}
