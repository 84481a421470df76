import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Cells that are bound again and again while their loads end in any order.
final class RecyclingTests: GTKTestCase, @unchecked Sendable {
    private static let cellCount = 12
    private static let pictureCount = 40
    private static let bindCount = 200

    func testAfterTwoHundredRandomBindsEachCellShowsItsOwnPicture() throws {
        try onMainThread {
            try requireDisplay()
            for seed in 1...5 as ClosedRange<UInt64> { try run(seed: seed) }
        }
    }

    @MainActor
    private func run(seed: UInt64) throws {
        let test = TestStage()
        let stage = Stage(pictures: Self.cellCount)
        defer { stage.close() }
        var random = SeededGenerator(seed: seed)
        var bound: [Int: Int] = [:]
        var endings: [Int: Int] = [:]
        var binds = 0
        while binds < Self.bindCount {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let cell = Int.random(in: 0..<Self.cellCount, using: &random)
                let picture = Int.random(in: 0..<Self.pictureCount, using: &random)
                let bind = binds
                binds += 1
                bound[cell] = picture
                bindCell(cell, to: picture, in: stage, test) { endings[bind, default: 0] += 1 }
            case 2:
                if let load = test.pending.randomElement(using: &random) { finish(load) }
            default:
                g_main_context_iteration(nil, 0)
            }
            assertNoStalePicture(stage, bound, seed: seed)
        }
        for load in test.pending { finish(load) }
        iterate(until: { endings.count == binds }, "the end of all loads")
        for (cell, picture) in bound {
            let image = PictureView(stage.widgets[cell]).image
            XCTAssertEqual(image?.colour, colour(of: picture), "cell \(cell) with seed \(seed)")
        }
        XCTAssertTrue(endings.values.allSatisfy { $0 == 1 }, "a completion was called twice with seed \(seed)")
        XCTAssertFalse(test.manager.isRunning)
    }

    @MainActor
    private func bindCell(
        _ cell: Int, to picture: Int, in stage: Stage, _ test: TestStage, ended: @escaping () -> Void
    ) {
        PictureView(stage.widgets[cell]).setImage(with: test.url("\(picture)"), context: test.context) { _ in ended() }
    }

    @MainActor
    private func assertNoStalePicture(_ stage: Stage, _ bound: [Int: Int], seed: UInt64) {
        for (cell, picture) in bound {
            guard let image = PictureView(stage.widgets[cell]).image else { continue }
            XCTAssertEqual(image.colour, colour(of: picture), "a stale picture in cell \(cell) with seed \(seed)")
        }
    }

    private func finish(_ load: SuspendedLoad) {
        load.finish(colour(of: Int(load.request.url.lastPathComponent) ?? 0).file)
    }

    private func colour(of picture: Int) -> Colour {
        Colour(red: UInt8(picture * 5), green: UInt8(200 - picture * 5), blue: UInt8(picture))
    }
}
