import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Cells that are bound again and again, shown and hidden, while loads of few pictures end in any order or fail.
final class ReuseStormTests: GTKTestCase, @unchecked Sendable {
    /// S3-23: no cell ever shows the picture of a former binding, and nothing is left in the end.
    func testTenThousandRandomBindsShowNoStalePictureAndLeaveNothing() throws {
        try onMainThread {
            try requireDisplay()
            let (live, paintables) = (LiveReferences(), LiveObjects())
            try run(seed: 1, live, paintables)
            iterate(until: { live.count == 0 && paintables.count == 0 }, "the end of all that was there")
        }
    }

    @MainActor
    private func run(seed: UInt64, _ live: LiveReferences, _ paintables: LiveObjects) throws {
        let storm = Storm(seed: seed, live, paintables)
        storm.stage.show()
        iterate(until: { storm.stage.isOnScreen }, "the window")
        while storm.binds < 10_000 { storm.step() }
        storm.settle()
        iterate(
            until: {
                storm.endOneLoad()
                storm.stage.time += 16_667
                return storm.isSettled
            }, "the end of all loads, seed \(seed)")
        XCTAssertEqual(storm.staleCount, 0, "stale pictures with seed \(seed)")
        XCTAssertTrue(storm.endings.values.allSatisfy { $0 == 1 }, "a completion was called twice with seed \(seed)")
        XCTAssertFalse(storm.stage.manager.isRunning)
        XCTAssertGreaterThan(live.count, 0)
        XCTAssertGreaterThan(paintables.watched, 0)
        storm.stage.close()
        storm.stage.cache.clear(.memory, completion: nil)
    }
}

@MainActor
private final class Storm {
    // Larger than what GTK's renderer keeps in its atlas for a while.
    let stage = ListStage(pictures: 32, size: 160)
    private(set) var binds = 0
    private(set) var endings: [Int: Int] = [:]
    private(set) var staleCount = 0

    private let loader = ForgetfulLoader()
    private let live: LiveReferences
    private let paintables: LiveObjects
    private var shown: [Int: OpaquePointer] = [:]
    private var random: SeededGenerator
    private var bound: [Int: Int] = [:]

    init(seed: UInt64, _ live: LiveReferences, _ paintables: LiveObjects) {
        random = SeededGenerator(seed: seed)
        self.live = live
        self.paintables = paintables
        for picture in stage.pictures { live.watch(Coordinator.of(picture)) }
    }

    /// Whether all loads have ended and been told of.
    var isSettled: Bool { endings.count == binds && loader.waitingCount == 0 && !stage.manager.isRunning }

    func step() {
        let cell = Int.random(in: 0..<stage.pictures.count, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: bind(cell)
        case 60..<85: endOneLoad()
        case 85..<90: gtk_widget_set_visible(stage.pictures[cell], Int32.random(in: 0...1, using: &random))
        case 90: stage.cache.clear(.memory, completion: nil)
        case 91: stage.scroll(by: Double.random(in: -900...900, using: &random))
        default: g_main_context_iteration(nil, 0)
        }
        check(cell)
    }

    /// Shows all cells, so that what waits for that goes on.
    func settle() {
        for picture in stage.pictures { gtk_widget_set_visible(picture, 1) }
        for cell in stage.pictures.indices { check(cell) }
    }

    func endOneLoad() { loader.finishOne(using: &random) }

    private func bind(_ cell: Int) {
        let picture = Int.random(in: 1...8, using: &random)
        let bind = binds
        binds += 1
        bound[cell] = picture
        var context = WebImageContext()
        context.imageManager = stage.manager
        context.imageLoader = loader
        let options: [WebImageOptions] = [[], .lowPriority, [.lowPriority, .retryFailed], .retryFailed]
        let operation = stage.view(cell).setImage(
            with: stage.url("\(picture)"), options: options.randomElement(using: &random) ?? [], context: context
        ) { [weak self] _ in self?.endings[bind, default: 0] += 1 }
        live.watch(operation)
    }

    private func check(_ cell: Int) {
        let widget = stage.pictures[cell]
        let image = Coordinator.of(widget).display.image
        live.watch(image)
        live.watch(image?.bitmap)
        let paintable = gtk_picture_get_paintable(OpaquePointer(widget))
        if let paintable, paintable != shown[cell] { paintables.watch(UnsafeMutableRawPointer(paintable)) }
        shown[cell] = paintable
        if let image, let picture = bound[cell], image.colour != Colour(numbered: picture) { staleCount += 1 }
    }
}

/// Counts how many of the objects that it was shown are still there.
@MainActor
private final class LiveReferences {
    private struct Entry {
        weak var object: AnyObject?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    var count: Int { entries.values.count { $0.object != nil } }

    func watch(_ object: AnyObject?) {
        if let object { entries[ObjectIdentifier(object)] = Entry(object: object) }
    }
}
