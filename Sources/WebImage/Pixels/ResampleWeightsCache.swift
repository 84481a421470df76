import Synchronization

/// The weights of the sides that were resized last: the frames of an animation all have the same, and so have most pictures of
/// a list.
final class ResampleWeightsCache: Sendable {
    static let shared = ResampleWeightsCache()

    /// What the weights of a whole side follow from.
    struct Side: Hashable {
        var sourceLength: Double
        var cellCount: Int
        var count: Int
        var depth: PixelDepth
        var filter: ResamplingFilter
    }

    private struct State {
        /// The one that was used last is at the end.
        var entries: [(side: Side, weights: ResampleWeights)] = []
        var madeCount = 0

        mutating func find(_ side: Side) -> ResampleWeights? {
            guard let place = entries.lastIndex(where: { $0.side == side }) else { return nil }
            let entry = entries.remove(at: place)
            entries.append(entry)
            return entry.weights
        }

        mutating func add(_ weights: ResampleWeights, for side: Side) {
            madeCount += 1
            if entries.count == ResampleWeightsCache.limit { entries.removeFirst() }
            entries.append((side, weights))
        }
    }

    /// Two for each of eight sizes. They take some tens of kilobytes each.
    static let limit = 16
    private let state = Mutex(State())

    /// How often weights were computed.
    var madeCount: Int { state.withLock { $0.madeCount } }

    func weights(of side: Side) -> ResampleWeights {
        if let known = state.withLock({ $0.find(side) }) { return known }
        let made = ResampleWeights(
            sourceLength: side.sourceLength, cellCount: side.cellCount, count: side.count, depth: side.depth,
            filter: side.filter)
        state.withLock { $0.add(made, for: side) }
        return made
    }
}
