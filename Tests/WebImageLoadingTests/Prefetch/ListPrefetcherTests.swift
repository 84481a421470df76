import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

@MainActor
@Suite("List prefetcher", .timeLimit(.minutes(5)))
struct ListPrefetcherTests {
    private let stage = PrefetchStage()
    private static let cell = PixelSize(width: 20, height: 10)

    private func list(ahead: Int = 3, _ change: (inout ImageRequest) -> Void = { _ in }) throws -> ListPrefetcher {
        var request = ImageRequest(nil)
        change(&request)
        let urls = try PrefetchStage.urls(0..<100)
        stage.prefetcher.maxConcurrentPrefetchCount = 100
        return ListPrefetcher(
            prefetcher: stage.prefetcher, window: LoadWindow(behind: 0, ahead: Double(ahead) / 5),
            cellPixelSize: Self.cell
        ) { index in
            var own = request
            own.url = urls[index]
            return index == 13 ? nil : own
        }
    }

    /// The running pictures, in the order of their start.
    private var running: [String] {
        stage.loader.loads.filter { !$0.isEnded }.map { String($0.request.url.lastPathComponent.dropLast(4)) }
    }

    @Test("it prefetches ahead, the nearest first, at the size of the cells")
    func ahead() async throws {
        let list = try list()
        list.show(0..<5, itemCount: 100)
        #expect(running == ["5", "6", "7"])
        stage.loader.loads[0].finish(ScriptedCoder.file(200, 100))
        while stage.cache.memory.isEmpty { await Task.yield() }
        #expect(stage.cache.memory.values.map(\.pixelSize) == [Self.cell.roundedUpForDecoding])
        list.stop()
    }

    @Test("items behind are cancelled, seen ones continue")
    func behind() throws {
        let list = try list()
        list.show(20..<25, itemCount: 100)
        #expect(running == ["25", "26", "27"])
        list.show(22..<27, itemCount: 100)
        #expect(running == ["25", "26", "27", "28", "29"])
        list.show(30..<35, itemCount: 100)
        #expect(running == ["35", "36", "37"])
        list.stop()
    }

    @Test("when the scrolling turns round, items ahead and items that are not seen any more are cancelled")
    func turn() throws {
        let list = try list()
        list.show(40..<45, itemCount: 100)
        list.show(42..<47, itemCount: 100)
        #expect(running == ["45", "46", "47", "48", "49"], "45 and 46 are seen now, and are left to come")
        let orphans = stage.loader.loads.filter { !$0.isEnded }
        list.show(37..<42, itemCount: 100)
        #expect(running == ["36", "35", "34"])
        #expect(orphans.map(\.isCancelled) == Array(repeating: true, count: 5))
        #expect(
            stage.prefetcher.runningTokens.compactMap(\.urls.first?.lastPathComponent) == [
                "36.jpg", "35.jpg", "34.jpg",
            ])
        list.show(40..<45, itemCount: 100)
        #expect(running == ["45", "46", "47"], "and round again")
        list.stop()
        #expect(running.isEmpty)
        #expect(stage.cache.memory.isEmpty)
    }

    @Test("a cell that has joined a prefetched picture keeps its load when the scrolling turns round")
    func turnWithCell() throws {
        let list = try list()
        list.show(40..<45, itemCount: 100)
        list.show(41..<46, itemCount: 100)
        let url = try PrefetchStage.urls(45..<46)[0]
        var context = WebImageContext()
        context.thumbnailPixelSize = Self.cell
        let cell = stage.manager.load(url, context: context) { _ in }
        list.show(36..<41, itemCount: 100)
        #expect(running.sorted() == ["33", "34", "35", "45"])
        cell.cancel()
        #expect(running.sorted() == ["33", "34", "35"])
        list.stop()
    }

    @Test("an item that is seen before its turn is left to its cell")
    func seenBeforeItsTurn() throws {
        let list = try list()
        stage.prefetcher.isPaused = true
        list.show(0..<5, itemCount: 100)
        list.show(1..<7, itemCount: 100)
        stage.prefetcher.isPaused = false
        #expect(running == ["7", "8", "9"])
        list.stop()
    }

    @Test("items without a picture are left out")
    func noPicture() throws {
        let list = try list()
        list.show(7..<12, itemCount: 100)
        list.show(8..<13, itemCount: 100)
        #expect(running == ["12", "14", "15"])
        list.stop()
    }

    @Test("after a reload everything is requested again")
    func reload() throws {
        let list = try list()
        list.show(0..<5, itemCount: 100)
        list.reload()
        #expect(stage.begun.count == 6)
        #expect(running == ["5", "6", "7"])
        list.stop()
        #expect(running.isEmpty)
        list.reload()
        #expect(running.isEmpty)
    }

    @Test("cells of another size prefetch again; a request's own size is kept")
    func cellSize() async throws {
        let own = PixelSize(width: 7, height: 7)
        let list = try list(ahead: 1) { $0.context.thumbnailPixelSize = own }
        list.show(0..<5, itemCount: 100)
        list.cellPixelSize = PixelSize(width: 1, height: 1)
        #expect(stage.begun == ["5.jpg", "5.jpg"])
        stage.loader.loads[1].finish(ScriptedCoder.file(200, 100))
        while stage.cache.memory.isEmpty { await Task.yield() }
        #expect(stage.cache.memory.values.map(\.pixelSize) == [own])
    }

    @Test("an empty range, and a released list, cancel everything")
    func ends() throws {
        var list: ListPrefetcher? = try list()
        list?.show(0..<5, itemCount: 100)
        list?.show(0..<0, itemCount: 100)
        #expect(running.isEmpty)
        list?.show(0..<5, itemCount: 100)
        #expect(running.count == 3)
        list = nil
        #expect(running.isEmpty)
        #expect(stage.prefetcher.runningTokens.isEmpty)
    }
}
