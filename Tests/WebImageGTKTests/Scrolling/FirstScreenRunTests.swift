import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK
@testable import webimage_gallery

/// The first screen as people see it: pictures from a web server by the real downloader and the real cache, and in the
/// second run from the disk.
final class FirstScreenRunTests: GTKTestCase, @unchecked Sendable {
    /// S0-3: with one connection the exact order; with six, six at a time, and half of that for what is near.
    func testAListAsksForItsFirstScreenFromTopToBottom() throws {
        try onMainThread {
            for connections in [1, 6] {
                try requireDisplay()
                let run = try Run(connections: connections)
                defer { run.network.answerAll() }
                let stage = run.list()
                defer { stage.close() }
                iterate(until: { stage.seenItems.count == 10 }, "the first layout")
                checkRequests(of: run.network, seen: 10, connections, in: stage.window)
                iterate(until: { stage.shown == Array(0..<30) }, "the pictures")
            }
        }
    }

    /// S0-3: all connections wait for their first byte then.
    func testAfterAJumpTheNextRequestsAreForWhatIsSeenThen() throws {
        try onMainThread {
            try requireDisplay()
            let run = try Run(connections: 6)
            defer { run.network.answerAll() }
            let stage = run.list()
            defer { stage.close() }
            iterate(until: { run.network.requested.count == 6 }, "the first screen")
            stage.scroll(to: 100 * LongList.itemSize)
            iterate(until: { run.network.requested.count >= 12 }, "the screen after the jump")
            let seen = stage.seenItems
            XCTAssertGreaterThan(seen[0], 80)
            XCTAssertEqual(run.network.requested.dropFirst(6).sorted(), Array(seen.prefix(6)))
            run.network.answerAll()
            iterate(until: { Set(stage.shown).isSuperset(of: seen) }, "the pictures")
        }
    }

    /// S0-3
    func testTheGalleryAsksForItsFirstScreenInReadingOrder() throws {
        try onMainThread {
            for connections in [1, 6] {
                try requireDisplay()
                let run = try Run(connections: connections)
                defer { run.network.answerAll() }
                let stage = run.gallery()
                defer { stage.close() }
                iterate(until: { !stage.seenItems.isEmpty }, "the first layout")
                let height = gtk_widget_get_height(stage.bound[0].card)
                XCTAssertEqual(stage.seenItems, Array(0..<24), "cards are \(height) points high")
                checkRequests(of: run.network, seen: 24, connections, in: stage.window)
                iterate(until: { stage.shown == Array(0..<72) }, "the pictures")
            }
        }
    }

    /// S0-3
    func testASecondRunOfAListDecodesWhatIsSeenBeforeAllElse() throws {
        try onMainThread {
            try requireDisplay()
            let run = try Run(connections: 6)
            run.network.answerAll()
            let first = run.list()
            first.loads?.patience = .zero
            PictureList(first.list.widget).loadWindow = .everything
            finish(run, requests: first.list.bound.count)
            first.close()

            let again = run.again()
            let stage = again.list()
            defer { stage.close() }
            checkDecodes(of: again, seen: 10, in: stage.window) { stage.shown }
        }
    }

    /// S0-3
    func testASecondRunOfTheGalleryDecodesWhatIsSeenBeforeAllElse() throws {
        try onMainThread {
            try requireDisplay()
            let run = try Run(connections: 6)
            run.network.answerAll()
            let first = run.gallery()
            WindowLoads.around(first.grid.widget)?.patience = .zero
            PictureList(first.grid.widget).loadWindow = .everything
            finish(run, requests: first.bound.count)
            first.close()

            let again = run.again()
            let stage = again.gallery()
            defer { stage.close() }
            checkDecodes(of: again, seen: 24, in: stage.window) { stage.shown }
        }
    }

    /// The list's pictures are replaced each time before the last of them have come.
    func testALoadWithoutAViewEndsWhileAListIsRefilledAgainAndAgain() throws {
        try onMainThread {
            try requireDisplay()
            let run = try Run(connections: 6)
            defer { run.network.answerAll() }
            let stage = run.list()
            defer { stage.close() }
            iterate(until: { run.network.requested.count == 6 }, "the first screen")
            let ended = Recorder<Int>()
            run.network.answer(20_000..<20_002)
            for (number, options) in [(20_000, []), (20_001, .lowPriority)] as [(Int, WebImageOptions)] {
                run.manager.load(run.network.url(number), options: options) { result in
                    if case .success = result { ended.append(number) }
                }
            }
            for round in 1...5 {
                let first = 1000 * round
                for (picture, position) in stage.list.bound { stage.show(first + position, in: PictureView(picture)) }
                iterate(until: { run.network.requested.contains(first + 5) }, "the first pictures of round \(round)")
                XCTAssertFalse(run.network.requested.contains(first + 6))
                run.network.answer(first..<first + 6)
                iterate(until: { run.network.requested.contains(first + 9) }, "the last pictures of round \(round)")
            }
            iterate(until: { ended.values.sorted() == [20_000, 20_001] }, "the loads without views")
            XCTAssertFalse(stage.shown.contains(9), "the list is still being filled")
        }
    }

    // MARK: Checks

    /// Requests come in reading order: the visible ones, and then two screens.
    @MainActor
    private func checkRequests(
        of network: HeldNetwork, seen: Int, _ connections: Int, in window: UnsafeMutablePointer<GtkWidget>
    ) {
        let half = max(1, connections / 2)
        let batches =
            stride(from: 0, to: seen, by: connections).map { $0..<min($0 + connections, seen) }
            + stride(from: seen, to: 3 * seen, by: half).map { $0..<min($0 + half, 3 * seen) }
        for batch in batches {
            iterate(until: { network.requested.count >= batch.upperBound }, "the requests \(batch)")
            let requested = network.requested.dropFirst(batch.lowerBound).sorted()
            guard requested == Array(batch) else { return XCTFail("\(requested) instead of \(batch)") }
            network.answer(batch)
        }
        drawFrames(3, of: window)
        XCTAssertEqual(network.requested.count, 3 * seen, "three screens")
    }

    /// Pictures from the disk: the visible ones are decoded before all others, and beyond the window none is.
    @MainActor
    private func checkDecodes(
        of run: Run, seen: Int, in window: UnsafeMutablePointer<GtkWidget>, shown: () -> [Int]
    ) {
        defer { run.mayDecode.open() }
        let requests = run.network.requested.count
        iterate(until: { !run.coder.decoded.isEmpty }, "the first decode")
        drawFrames(5, of: window)
        XCTAssertTrue(run.coder.decoded.allSatisfy { $0 < seen }, "\(run.coder.decoded)")
        run.mayDecode.open()
        iterate(until: { shown() == Array(0..<3 * seen) }, "the pictures")
        drawFrames(3, of: window)
        XCTAssertEqual(run.coder.decoded.prefix(seen).sorted(), Array(0..<seen))
        XCTAssertEqual(run.coder.decoded.sorted(), Array(0..<3 * seen))
        XCTAssertEqual(run.network.requested.count, requests, "all of them are on the disk")
    }

    /// Waits until all pictures that are bound are on the disk.
    @MainActor
    private func finish(_ run: Run, requests: @autoclosure () -> Int) {
        run.mayDecode.open()
        iterate(
            until: { run.network.requested.count >= max(100, requests()) && !run.manager.isRunning }, "all pictures")
        let isOnDisk = Recorder<Bool>()
        Task { [cache = run.cache] in
            await cache.flush()
            isOnDisk.append(true)
        }
        iterate(until: { !isOnDisk.values.isEmpty }, "the ends of the writes")
    }
}

/// One run of a program whose pictures come from the held network.
@MainActor
private final class Run {
    let network: HeldNetwork
    let manager: WebImageManager
    let cache: ImageCache
    let coder: NumberedPoster
    /// Decodes wait for it in a second run.
    let mayDecode = Gate()
    private let directory: TemporaryDirectory

    convenience init(connections: Int) throws {
        self.init(try HeldNetwork(connections: connections), try TemporaryDirectory())
        mayDecode.open()
    }

    private init(_ network: HeldNetwork, _ directory: TemporaryDirectory) {
        self.network = network
        self.directory = directory
        coder = NumberedPoster(heldBy: mayDecode)
        cache = ImageCache(directory: directory.path)
        manager = WebImageManager(cache: cache, loader: network.downloader, coder: coder)
    }

    /// The next run, with the same files.
    func again() -> Run { Run(network, directory) }

    func list() -> LongList {
        LongList(
            .list, manager: manager, url: network.url,
            bind: { stage, item, position in
                if let view = ListRowView(listItem: item) { stage.show(position, in: view) }
            })
    }

    func gallery() -> GalleryStage { GalleryStage(manager: manager, url: network.url) }
}
