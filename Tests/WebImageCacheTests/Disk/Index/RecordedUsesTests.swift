import Testing
import WebImageCore

@testable import WebImageCache

@Suite("Uses of entries that are not written to the files yet")
struct RecordedUsesTests {
    private func name(_ number: Int) -> DiskEntryName { DiskEntryName(high: 0, low: UInt64(number)) }

    private func note(_ number: Int, at second: Int, in uses: inout RecordedUses, isKnown: Bool = false) -> Int {
        uses.note(name(number), at: IndexDate(seconds: UInt32(second)), isKnownToFile: isKnown)
    }

    @Test("each entry is taken once, with its last use, and then no more")
    func take() {
        var uses = RecordedUses()
        let counts = [(1, 5), (2, 6), (2, 9), (1, 4)].map { note($0.0, at: $0.1, in: &uses) }
        #expect(counts == [1, 2, 3, 4])
        let taken = uses.take().sorted { $0.name.low < $1.name.low }
        #expect(taken.map(\.name) == [name(1), name(2)] && taken.map(\.time.wholeSeconds) == [5, 9])
        #expect(uses.take().isEmpty && note(3, at: 1, in: &uses) == 1)
    }

    @Test("a use that the file's own date shows counts as a read, and is not written again")
    func known() {
        var uses = RecordedUses()
        #expect(note(1, at: 5, in: &uses, isKnown: true) == 1)
        #expect(uses.take().isEmpty)
    }

    @Test("a few entries that are read often are taken once each; of many entries, none is lost")
    func bound() {
        var uses = RecordedUses()
        for number in 0..<100_000 { _ = note(number % 3, at: number, in: &uses) }
        #expect(uses.take().count == 3)
        for number in 0..<20_000 { _ = note(number, at: number, in: &uses) }
        #expect(uses.take().count == 20_000)
    }
}
