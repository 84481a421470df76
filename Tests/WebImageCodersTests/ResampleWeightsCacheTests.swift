import Testing
import WebImageCore
import WebImageTesting

@testable import WebImagePixels

@Suite("Weights of resampling that are kept")
struct ResampleWeightsCacheTests {
    private let computed = Observed(0)
    private let cache: ResampleWeightsCache

    init() {
        cache = ResampleWeightsCache { [computed] side in
            computed.update { $0 += 1 }
            return ResampleWeights(of: side)
        }
    }

    private func side(_ count: Int, filter: ResamplingFilter = .lanczos3) -> ResampleWeightsCache.Side {
        ResampleWeightsCache.Side(sourceLength: 408, cellCount: 408, count: count, depth: .eight, filter: filter)
    }

    @Test("the frames of an animation have weights that are computed once")
    func frames() throws {
        for _ in 0..<5 {
            let source = PixelSource(size: PixelSize(width: 408, height: 272), isOpaque: true)
            _ = try StreamResampler(source, depth: .eight, to: PixelSize(width: 204, height: 136), cache: cache)
        }
        #expect(computed.value == 2)
    }

    @Test("other sides, depths and filters have other weights")
    func others() {
        let first = cache.weights(of: side(200))
        #expect(cache.weights(of: side(100)).starts.count == 100)
        #expect(cache.weights(of: side(200, filter: .box)).weights != first.weights)
        var deep = side(200)
        deep.depth = .sixteen
        #expect(!cache.weights(of: deep).deepWeights.isEmpty)
        #expect(cache.weights(of: side(200)).weights == first.weights)
        #expect(computed.value == 4)
    }

    @Test("the weights that were used least recently are dropped")
    func limit() {
        for count in 1...ResampleWeightsCache.limit { _ = cache.weights(of: side(count)) }
        _ = cache.weights(of: side(1))
        _ = cache.weights(of: side(100))
        #expect(computed.value == ResampleWeightsCache.limit + 1)
        _ = cache.weights(of: side(1))
        #expect(computed.value == ResampleWeightsCache.limit + 1)
        _ = cache.weights(of: side(2))
        #expect(computed.value == ResampleWeightsCache.limit + 2)
    }

    @Test("two threads that miss at once leave one entry")
    func race() {
        let (computed, rival) = (Observed(0), Observed<ResampleWeightsCache?>(nil))
        let raced = side(500)
        let cache = ResampleWeightsCache { side in
            computed.update { $0 += 1 }
            if side == raced, let other = rival.value {
                rival.update { $0 = nil }
                // As another thread that has missed, too, and is ready before this one.
                _ = other.weights(of: side)
            }
            return ResampleWeights(of: side)
        }
        rival.update { $0 = cache }
        for count in 1..<ResampleWeightsCache.limit { _ = cache.weights(of: side(count)) }
        _ = cache.weights(of: raced)
        #expect(computed.value == ResampleWeightsCache.limit + 1)
        for count in 1..<ResampleWeightsCache.limit { _ = cache.weights(of: side(count)) }
        #expect(computed.value == ResampleWeightsCache.limit + 1, "all have room beside it")
    }
}
