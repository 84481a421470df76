import Testing
import WebImageTesting

@testable import WebImage

@Suite("Unseen pictures") struct UnseenPicturesTests {
    @Test("of more unseen pictures than are kept, the one unseen for the longest time goes")
    func oldest() {
        var unseen = UnseenPictures<Int>(limit: 3)
        for id in 1...3 {
            let dropped = unseen.hide(id)
            #expect(dropped == nil)
        }
        #expect(unseen.hide(4) == 1)
        #expect(unseen.hide(5) == 2)
        #expect(unseen.count == 3)
    }

    @Test("one that is seen again is young when it goes out of sight")
    func seenAgain() {
        var unseen = UnseenPictures<Int>(limit: 2)
        _ = unseen.hide(1)
        _ = unseen.hide(2)
        unseen.remove(1)
        #expect(unseen.hide(1) == nil)
        #expect(unseen.hide(3) == 2)
    }

    @Test("without a limit above none, each goes at once")
    func none() {
        var unseen = UnseenPictures<Int>(limit: 0)
        #expect(unseen.hide(7) == 7)
        #expect(unseen.count == 0)
    }

    @Test("against a plain list, in ten thousand steps at random", arguments: 1...5 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var unseen = UnseenPictures<Int>(limit: 8)
        var list: [Int] = []
        for _ in 0..<10_000 {
            let id = Int.random(in: 0..<20, using: &random)
            list.removeAll { $0 == id }
            guard Bool.random(using: &random) else {
                unseen.remove(id)
                continue
            }
            list.append(id)
            let expected = list.count > 8 ? list.removeFirst() : nil
            #expect(unseen.hide(id) == expected)
            #expect(unseen.count == list.count)
        }
    }
}
