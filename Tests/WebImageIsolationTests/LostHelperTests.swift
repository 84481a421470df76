import Foundation
import Testing
import WebImageCore
import WebImageIsolation

/// A decode during which the helper ends begins once more.
@Suite("Lost helpers")
struct LostHelperTests {
    private static let damage = WebImageError(
        .badImageData, stage: .decode, kind: .permanent, reason: "this was answered by a worker")

    private final class Receiver: PixelRowReceiver {
        func receive(_ row: UnsafeRawBufferPointer) {}
    }

    enum Work: CaseIterable, Sendable {
        case properties, picture, frames

        func run(_ coder: IsolatedCoder, _ options: ImageDecodeOptions) throws(WebImageError) {
            let data = Data([1])
            switch self {
            case .properties: _ = try coder.properties(of: data, isComplete: true, options: options)
            case .picture: _ = try coder.decode(data, options: options)
            case .frames: _ = try coder.makeAnimation(of: data, options: options)
            }
        }
    }

    /// How the work fails, and the workers that it takes, where some are lost.
    private static func outcome(losing count: Int, of work: Work, handsRowsOn: Bool = false) -> (WebImageError?, Int) {
        let workers = ScriptedWorkers(losing: count) { request -> [WorkerReply] in
            if case .open = request { [] } else { [.failed(damage)] }
        }
        var options = ImageDecodeOptions()
        if handsRowsOn { options.rowReceiver = Receiver() }
        do throws(WebImageError) {
            try work.run(IsolatedCoder(kind: .png, source: workers), options)
            return (nil, workers.startedCount)
        } catch {
            return (error, workers.startedCount)
        }
    }

    @Test("a picture begins once more, and gets what the second worker says", arguments: Work.allCases)
    func once(work: Work) {
        let (error, count) = Self.outcome(losing: 1, of: work)
        #expect(error?.reason == Self.damage.reason && count == 2)
    }

    @Test("where that is lost, too, it fails for now", arguments: Work.allCases)
    func twice(work: Work) {
        let (error, count) = Self.outcome(losing: 9, of: work)
        #expect(error?.kind == .transient && error?.reason.contains("has ended; try again") == true && count == 2)
    }

    @Test("rows that are handed on while they are decoded are not handed on twice")
    func rows() {
        let (error, count) = Self.outcome(losing: 1, of: .picture, handsRowsOn: true)
        #expect(error?.kind == .transient && count == 1)
    }
}
