import Foundation
import Testing
import WebImageTestSupport

@testable import WebImage
@testable import WebImageTestDoubles

/// What was being decoded when the helper ended begins once more.
@Suite("Lost helpers")
struct LostHelperTests {
    private static let damage = WebImageError(
        .badImageData, stage: .decode, kind: .permanent, reason: "this was answered by a worker")

    private final class Receiver: PixelRowReceiver {
        func receive(_ row: UnsafeRawBufferPointer) {}
    }

    private typealias Work = @Sendable (IsolatedCoder, ImageDecodeOptions) throws(WebImageError) -> Void

    /// How the work fails, and the workers that it takes, where some are lost.
    private static func outcome(losing count: Int, of work: Work, handsRowsOn: Bool = false) -> (WebImageError?, Int) {
        let workers = ScriptedWorkers(losing: count) { request -> [WorkerReply] in
            if case .open = request { [] } else { [.failed(damage)] }
        }
        var options = ImageDecodeOptions()
        if handsRowsOn { options.rowReceiver = Receiver() }
        do throws(WebImageError) {
            try work(IsolatedCoder(kind: .png, source: workers), options)
            return (nil, workers.startedCount)
        } catch {
            return (error, workers.startedCount)
        }
    }

    private static let works: [Work] = [
        { coder, options throws(WebImageError) in
            _ = try coder.properties(of: Data([1]), isComplete: true, options: options)
        },
        { coder, options throws(WebImageError) in _ = try coder.decode(Data([1]), options: options) },
        { coder, options throws(WebImageError) in _ = try coder.makeAnimation(of: Data([1]), options: options) },
    ]

    @Test("a picture begins once more, and gets what the second worker says", arguments: 0..<3)
    func once(index: Int) {
        let (error, count) = Self.outcome(losing: 1, of: Self.works[index])
        #expect(error?.reason == Self.damage.reason && count == 2)
    }

    @Test("where that is lost, too, it fails for now", arguments: 0..<3)
    func twice(index: Int) {
        let (error, count) = Self.outcome(losing: 9, of: Self.works[index])
        #expect(error?.kind == .transient && error?.reason.contains("has ended; try again") == true && count == 2)
    }

    @Test("rows that are handed on while they are decoded are not handed on twice")
    func rows() {
        let (error, count) = Self.outcome(losing: 1, of: Self.works[1], handsRowsOn: true)
        #expect(error?.kind == .transient && count == 1)
    }
}
