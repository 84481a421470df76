import Testing

@testable import WebImage

@Suite("Order of writes")
struct WriteOrderTests {
    private let order = WriteOrder()
    private let name = StoredName(key: CacheKey("a"), cache: nil, isOfOriginals: false)

    @Test("the write that was asked for last is the one that counts, whichever ends first")
    func overtaken() {
        let (old, new) = (order.begin(name), order.begin(name))
        #expect(!order.isLatest(old, of: name))
        #expect(order.isLatest(new, of: name))
        order.end(new, of: name)
        #expect(!order.isLatest(old, of: name))
        order.end(old, of: name)
        let next = order.begin(name)
        #expect(order.isLatest(next, of: name))
    }

    @Test("the cache of originals is another one where caches cannot be told apart")
    func values() {
        let originals = StoredName(key: CacheKey("a"), cache: nil, isOfOriginals: true)
        let first = order.begin(name)
        _ = order.begin(originals)
        #expect(order.isLatest(first, of: name))
    }
}
