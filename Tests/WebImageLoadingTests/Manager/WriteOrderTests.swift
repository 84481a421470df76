import Testing
import WebImageCore

@testable import WebImageLoading

@Suite("Order of writes")
struct WriteOrderTests {
    private let order = WriteOrder()
    private let name = StoredName(key: CacheKey("a"), cache: CollaboratorIdentity(nil))

    @Test("the last requested write counts, whichever ends first")
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

    @Test("caches that cannot be compared are two caches")
    func values() {
        struct Value: Sendable {}
        let names = (0..<2).map { _ in StoredName(key: CacheKey("a"), cache: CollaboratorIdentity(Value())) }
        let first = order.begin(names[0])
        _ = order.begin(names[1])
        #expect(order.isLatest(first, of: names[0]))
    }
}
