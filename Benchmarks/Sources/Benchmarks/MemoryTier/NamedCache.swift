import Synchronization
import WebImage

/// A memory cache with lookups by name.
protocol NamedCache: Sendable {
    static var id: String { get }
    static var title: String { get }
    /// - Parameter costLimit: Bytes.
    init(costLimit: Int)
    func image(named name: String) -> Image?
    func store(_ image: Image, named name: String, cost: Int)
}

/// The library's cache; hashes each name anew.
final class OurNamedCache: NamedCache {
    static let id = "ours"
    static let title = "MemoryCache"
    private let cache: MemoryCache

    init(costLimit: Int) { cache = MemoryCache(costLimit: costLimit) }

    func image(named name: String) -> Image? { cache.image(for: name) }
    func store(_ image: Image, named name: String, cost: Int) { cache.store(image, for: CacheKey(name), cost: cost) }
}

/// The textbook LRU cache: a dictionary and a list behind one lock.
final class LRUNamedCache: NamedCache {
    static let id = "lru"
    static let title = "Dictionary and list (LRU) behind a Mutex"

    private final class Node {
        let name: String
        var image: Image
        var cost: Int
        unowned(unsafe) var older: Node?
        unowned(unsafe) var newer: Node?

        init(_ image: Image, name: String, cost: Int) {
            self.name = name
            self.image = image
            self.cost = cost
        }
    }

    private struct State {
        var nodes: [String: Node] = [:]
        var oldest: Node?
        var newest: Node?
        var cost = 0

        mutating func append(_ node: Node) {
            node.older = newest
            node.newer = nil
            if let newest { newest.newer = node } else { oldest = node }
            newest = node
        }

        mutating func unlink(_ node: Node) {
            if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
            if let newer = node.newer { newer.older = node.older } else { newest = node.older }
        }

        mutating func find(_ name: String) -> Image? {
            guard let node = nodes[name] else { return nil }
            unlink(node)
            append(node)
            return node.image
        }

        mutating func store(_ image: Image, _ name: String, _ cost: Int, _ limit: Int) {
            if let old = nodes.removeValue(forKey: name) {
                unlink(old)
                self.cost -= old.cost
            }
            while self.cost + cost > limit, let node = oldest {
                unlink(node)
                nodes[node.name] = nil
                self.cost -= node.cost
            }
            let node = Node(image, name: name, cost: cost)
            nodes[name] = node
            append(node)
            self.cost += cost
        }
    }

    private let costLimit: Int
    private let state = Mutex(State())

    init(costLimit: Int) { self.costLimit = costLimit }

    func image(named name: String) -> Image? { state.withLock { $0.find(name) } }

    func store(_ image: Image, named name: String, cost: Int) {
        state.withLock { $0.store(image, name, cost, costLimit) }
    }
}
