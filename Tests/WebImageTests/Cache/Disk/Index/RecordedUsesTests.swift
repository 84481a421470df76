import Testing

@testable import WebImage

@Suite("The entries that were read, until that is written to their files")
struct RecordedUsesTests {
    private func name(_ number: Int) -> DiskEntryName { DiskEntryName(high: 0, low: UInt64(number)) }

    private func note(_ number: Int, at second: Int, in uses: inout RecordedUses, isKnown: Bool = false) -> Int {
        uses.note(name(number), at: IndexDate(seconds: UInt32(second)), isKnownToFile: isKnown)
    }

    @Test("each comes once when they are taken, with its last use, and none after that")
    func take() {
        var uses = RecordedUses()
        let counts = [(1, 5), (2, 6), (2, 9), (1, 4)].map { note($0.0, at: $0.1, in: &uses) }
        #expect(counts == [1, 2, 3, 4])
        let taken = uses.take().sorted { $0.name.low < $1.name.low }
        #expect(taken.map(\.name) == [name(1), name(2)] && taken.map(\.time.wholeSeconds) == [5, 9])
        #expect(uses.take().isEmpty && note(3, at: 1, in: &uses) == 1)
    }

    @Test("a use that the file tells by itself counts as a read, and is not written again")
    func known() {
        var uses = RecordedUses()
        #expect(note(1, at: 5, in: &uses, isKnown: true) == 1)
        #expect(uses.take().isEmpty)
    }

    @Test("however often a few are read, each comes once; of many, none is lost")
    func bound() {
        var uses = RecordedUses()
        for number in 0..<100_000 { _ = note(number % 3, at: number, in: &uses) }
        #expect(uses.take().count == 3)
        for number in 0..<20_000 { _ = note(number, at: number, in: &uses) }
        #expect(uses.take().count == 20_000)
    }
}
