import Testing
import WebImageTesting

@testable import WebImage
@testable import WebImageTestDoubles

@Suite("Weights of resampling that are kept")
struct ResampleWeightsCacheTests {
    private let cache = ResampleWeightsCache()

    private func side(_ count: Int, filter: ResamplingFilter = .lanczos3) -> ResampleWeightsCache.Side {
        ResampleWeightsCache.Side(sourceLength: 408, cellCount: 408, count: count, depth: .eight, filter: filter)
    }

    @Test("the frames of an animation have weights that are computed once")
    func frames() throws {
        for _ in 0..<5 {
            let source = PixelSource(size: PixelSize(width: 408, height: 272), isOpaque: true)
            _ = try StreamResampler(source, depth: .eight, to: PixelSize(width: 204, height: 136), cache: cache)
        }
        #expect(cache.madeCount == 2)
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
        #expect(cache.madeCount == 4)
    }

    @Test("the weights that were used least recently are dropped")
    func limit() {
        for count in 1...ResampleWeightsCache.limit { _ = cache.weights(of: side(count)) }
        _ = cache.weights(of: side(1))
        _ = cache.weights(of: side(100))
        #expect(cache.madeCount == ResampleWeightsCache.limit + 1)
        _ = cache.weights(of: side(1))
        #expect(cache.madeCount == ResampleWeightsCache.limit + 1)
        _ = cache.weights(of: side(2))
        #expect(cache.madeCount == ResampleWeightsCache.limit + 2)
    }
}
