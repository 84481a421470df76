import Synchronization
import WebImageCore

/// The weights of the sides that were resized last: the frames of an animation all have the same, and so have most pictures of
/// a list.
final class ResampleWeightsCache: Sendable {
    static let shared = ResampleWeightsCache()

    /// The values that the weights of a whole side follow from.
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

        mutating func find(_ side: Side) -> ResampleWeights? {
            guard let place = entries.lastIndex(where: { $0.side == side }) else { return nil }
            let entry = entries.remove(at: place)
            entries.append(entry)
            return entry.weights
        }

        mutating func add(_ weights: ResampleWeights, for side: Side) {
            if entries.count == ResampleWeightsCache.limit { entries.removeFirst() }
            entries.append((side, weights))
        }
    }

    /// Two for each of eight sizes. They take some tens of kilobytes each.
    static let limit = 16
    private let state = Mutex(State())

    private let compute: @Sendable (Side) -> ResampleWeights

    init(compute: @escaping @Sendable (Side) -> ResampleWeights = { ResampleWeights(of: $0) }) {
        self.compute = compute
    }

    /// Two threads that both miss compute the same, and the second takes the first one's.
    func weights(of side: Side) -> ResampleWeights {
        if let known = state.withLock({ $0.find(side) }) { return known }
        let made = compute(side)
        return state.withLock { state in
            if let known = state.find(side) { return known }
            state.add(made, for: side)
            return made
        }
    }
}

extension ResampleWeights {
    init(of side: ResampleWeightsCache.Side) {
        self.init(
            sourceLength: side.sourceLength, cellCount: side.cellCount, count: side.count, depth: side.depth,
            filter: side.filter)
    }
}
