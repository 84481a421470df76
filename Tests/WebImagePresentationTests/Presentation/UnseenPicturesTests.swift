import Testing
import WebImagePresentation
import WebImageTesting

@Suite("Unseen pictures") struct UnseenPicturesTests {
    @Test("above the limit, the picture unseen for the longest time goes")
    func oldest() {
        var unseen = UnseenPictures<Int>(limit: .init(count: 3))
        for id in 1...3 { #expect(unseen.hideAndTake(id) == nil) }
        #expect(unseen.hideAndTake(4) == 1)
        #expect(unseen.hideAndTake(5) == 2)
        #expect(unseen.count == 3)
    }

    @Test("a picture that is seen again, or cannot be released, counts as new")
    func seenAgain() {
        var unseen = UnseenPictures<Int>(limit: .init(count: 2))
        unseen.hide(1)
        unseen.hide(2)
        unseen.remove(1)
        #expect(unseen.hideAndTake(1) == nil)
        #expect(unseen.hideAndTake(3) == 2)
        unseen.hide(2)
        #expect(unseen.takeExcess() == 1)
    }

    @Test("with a limit of zero, each goes at once")
    func none() {
        var unseen = UnseenPictures<Int>(limit: .init(count: 0))
        #expect(unseen.hideAndTake(7) == 7)
        #expect(unseen.count == 0)
    }

    @Test("a large picture pushes several small ones out, or goes itself")
    func bytes() {
        var unseen = UnseenPictures<Int>(limit: .init(bytes: 10))
        for id in 1...5 { unseen.hide(id, bytes: 2) }
        #expect(unseen.takeExcess() == nil)
        unseen.hide(6, bytes: 5)
        #expect(
            [unseen.takeExcess(), unseen.takeExcess(), unseen.takeExcess(), unseen.takeExcess()] == [1, 2, 3, nil])
        #expect(unseen.bytes == 9)
        unseen.hide(6, bytes: 11)
        #expect(
            [unseen.takeExcess(), unseen.takeExcess(), unseen.takeExcess(), unseen.takeExcess()] == [4, 5, 6, nil])
        #expect(unseen.bytes == 0)
    }

    @Test("all go together, the oldest first")
    func all() {
        var unseen = UnseenPictures<Int>()
        for id in [3, 1, 2] { unseen.hide(id, bytes: id) }
        unseen.remove(1)
        #expect(unseen.takeAll() == [3, 2])
        #expect((unseen.count, unseen.bytes) == (0, 0))
    }

    @Test("ten thousand random steps match a plain list", arguments: 1...5 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var unseen = UnseenPictures<Int>(limit: .init(count: 8, bytes: 40))
        var list: [(id: Int, bytes: Int)] = []
        for _ in 0..<10_000 {
            let (id, bytes) = (Int.random(in: 0..<20, using: &random), Int.random(in: 0..<9, using: &random))
            list.removeAll { $0.id == id }
            if Bool.random(using: &random) {
                unseen.remove(id)
            } else {
                unseen.hide(id, bytes: bytes)
                list.append((id, bytes))
            }
            while list.count > 8 || list.reduce(0, { $0 + $1.bytes }) > 40 {
                #expect(unseen.takeExcess() == list.removeFirst().id)
            }
            #expect(unseen.takeExcess() == nil)
            #expect(unseen.count == list.count)
        }
    }
}

extension UnseenPictures {
    fileprivate mutating func hideAndTake(_ id: ID) -> ID? {
        hide(id)
        return takeExcess()
    }
}
