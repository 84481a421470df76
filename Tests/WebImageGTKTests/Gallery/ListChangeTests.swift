import Testing
import WebImageTesting

@testable import webimage_gallery

@Suite struct ListChangeTests {
    private typealias Change = ListChange<Int>

    private func applied(_ old: [Int], _ new: [Int]) -> [Int] {
        Change(from: old, to: new).steps.reduce(into: old) { $0.replaceSubrange($1.removed, with: new[$1.inserted]) }
    }

    @Test("what stays is not touched, run by run")
    func runs() {
        let change = Change(from: [1, 2, 3, 4, 5, 6], to: [0, 2, 3, 5, 7, 8, 6])
        #expect(
            change.steps == [
                .init(removed: 3..<4, inserted: 0..<0), .init(removed: 0..<1, inserted: 0..<0),
                .init(removed: 0..<0, inserted: 0..<1), .init(removed: 4..<4, inserted: 4..<6),
            ])
        #expect(Change(from: [1, 2], to: [1, 2]).steps == [])
        #expect(Change(from: [], to: [1, 2]).steps == [.init(removed: 0..<0, inserted: 0..<2)])
    }

    @Test("another order replaces what is between the equal ends")
    func order() {
        let change = Change(from: [1, 2, 3, 4], to: [1, 3, 2, 4])
        #expect(change.steps == [.init(removed: 1..<3, inserted: 1..<3)])
    }

    @Test("the steps lead to the new list, also with equal elements", arguments: 0..<200)
    func random(seed: Int) {
        var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let old = (0..<next(12)).map { _ in next(9) }
        let new = (0..<next(12)).map { _ in next(9) }
        #expect(applied(old, new) == new)
        let sorted = (Set(old).sorted(), Set(new).sorted())
        #expect(applied(sorted.0, sorted.1) == sorted.1)
    }
}
