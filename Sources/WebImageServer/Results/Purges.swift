import Synchronization
import WebImageCore

/// How often sources were purged by this node: work that began before a purge is none of the requests after it. Any thread.
///
/// Several sources share a count, so that there are few: a purge then has a needless effect on some others.
final class Purges: Sendable {
    private static let size = 4096

    private let counts = Mutex([Int](repeating: 0, count: size))

    func count(of source: CacheKey) -> Int { counts.withLock { $0[Self.place(of: source)] } }

    func note(_ source: CacheKey) { counts.withLock { $0[Self.place(of: source)] += 1 } }

    private static func place(of source: CacheKey) -> Int { Int(UInt(bitPattern: source.hashValue) % UInt(size)) }
}
