import Synchronization

/// The numbers of sources as this node has seen them last, for the time in which the fleet's memory does not answer: what a purge
/// at another node changes then is seen once it answers again. Any thread.
final class KnownGenerations: Sendable {
    private static let maximumCount = 1 << 16

    private let known = Mutex<[String: String]>([:])

    /// - Parameter source: Its name in the memory.
    func note(_ generation: String, of source: String) {
        known.withLock { known in
            // Seldom, so that an order of use is not worth its cost.
            if known.count >= Self.maximumCount, known[source] == nil { known.removeAll(keepingCapacity: true) }
            known[source] = generation
        }
    }

    /// The number, or one that counts for this node alone.
    func generation(of source: String) -> String {
        if let known = known.withLock({ $0[source] }) { return known }
        let own = "own-" + String(UInt64.random(in: .min ... .max), radix: 36)
        note(own, of: source)
        return own
    }

    func forget(_ source: String) { known.withLock { $0[source] = nil } }
}
