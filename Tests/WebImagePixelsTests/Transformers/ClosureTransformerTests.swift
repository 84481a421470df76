import Synchronization
import Testing

@testable import WebImageCore
@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Transformers from closures, and cancelled ones")
struct ClosureTransformerTests {
    private let image: Image

    init() throws { image = Image(bitmap: try TestPicture.smooth(PixelSize(width: 20, height: 10))) }

    @Test("S4-21 a closure with an identity is a transformer, and may return nothing or another size")
    func closures() throws {
        let square = BuiltInTransformer.custom(identity: "square") { $0.cropped(toAspectRatio: 1) }
        #expect(square.transformerKey == "ClosureImageTransformer(square)")
        #expect(square.transform(image, for: CacheKey("a"))?.pixelSize == PixelSize(width: 10, height: 10))
        let nothing = BuiltInTransformer.custom(identity: "nothing") { _ in nil }
        #expect(nothing.transform(image, for: CacheKey("a")) == nil)
        let chain = BuiltInTransformer.pipeline([square, nothing, BuiltInTransformer.flip(horizontal: true)])
        #expect(chain.transform(image, for: CacheKey("a")) == nil)
    }

    @Test("a pipeline that is cancelled between two steps does no further one, and an operation ends between strips")
    func cancelled() throws {
        let flag = CancellationFlag()
        let first = BuiltInTransformer.custom(identity: "1") { image in
            flag.cancel()
            return image
        }
        let second = BuiltInTransformer.custom(identity: "2") { image in
            Issue.record("the step runs after the cancellation")
            return image
        }
        let chain = BuiltInTransformer.pipeline([first, second])
        #expect(chain.transform(image, for: CacheKey("a"), cancellation: flag) == nil)
        let large = try TestPicture.smooth(PixelSize(width: 400, height: 400))
        let error = #expect(throws: WebImageError.self) { try large.blurred(radius: 3, cancellation: flag) }
        #expect(error?.code == .cancelled)
    }

    @Test("the work on one picture is divided among the processors, and its strips are all of its rows, once")
    func strips() throws {
        for (width, height) in [(1, 1), (1, 60_000), (60_000, 1), (1000, 1000), (3000, 7)] {
            let rows = ParallelRows(size: PixelSize(width: width, height: height))
            let seen = SeenRows()
            #expect(try rows.allSatisfy { range in seen.add(range) })
            #expect(seen.rows.sorted() == Array(0..<height))
        }
        #expect(try !ParallelRows(size: PixelSize(width: 1000, height: 1000)).allSatisfy { !$0.contains(500) })
    }
}

private final class SeenRows: Sendable {
    private let state = Mutex<[Int]>([])

    var rows: [Int] { state.withLock { $0 } }

    func add(_ range: Range<Int>) -> Bool {
        state.withLock { $0 += range }
        return true
    }
}
