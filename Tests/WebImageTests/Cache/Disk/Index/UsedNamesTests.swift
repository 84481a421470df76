import Testing

@testable import WebImage

@Suite("The names of entries that were read")
struct UsedNamesTests {
    private func name(_ number: Int) -> DiskEntryName { DiskEntryName(high: 0, low: UInt64(number)) }

    @Test("each is there once when they are taken, and none after that")
    func take() {
        var names = UsedNames()
        for number in [1, 2, 2, 1] { names.insert(name(number)) }
        #expect(names.count == 3 && names.take() == [name(1), name(2)])
        #expect(names.count == 0 && names.names.isEmpty)
    }

    @Test("a few that are read for ever take no more room than twice their number, nor less than some thousands")
    func bound() {
        var names = UsedNames()
        for number in 0..<100_000 { names.insert(name(number % 3)) }
        #expect(names.count <= 8192 && names.names.count == 3)
        for number in 0..<20_000 { names.insert(name(number)) }
        #expect(names.names.count == 20_000 && names.count <= 40_000)
    }
}
