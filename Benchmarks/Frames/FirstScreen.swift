import CGtk4
import FoundationEssentials
import Synchronization
import WebImage
import WebImageGTK
import WebImageTesting

/// Measures the first screen of a list or grid, and prints two numbers.
enum FirstScreen {
    static let usage = "first-screen (network 10|24 | fill DIRECTORY | disk DIRECTORY | memory)"

    /// - Returns: false for arguments that it does not know.
    static func run(_ arguments: [String]) throws -> Bool {
        switch (arguments.first, arguments.dropFirst().first) {
        case ("network", let cells?): try network(isGrid: cells == "24")
        case ("fill", let directory?): fill(directory)
        case ("disk", let directory?): disk(directory)
        case ("memory", nil): memory()
        default: return false
        }
        return true
    }

    /// Seconds until the last visible picture is drawn, each answered after 0.3 s over six connections; and the number
    /// of all pictures that are fetched.
    private static func network(isGrid: Bool) throws {
        let origin = try LoopbackOrigin()
        origin.fallback = { request in
            Int(request.path.dropFirst()).map { .picture(SamplePoster.file($0)).delayed(by: .milliseconds(300)) }
        }
        _ = SamplePoster.file(0)
        var config = WebImageDownloaderConfig()
        config.proxy = ""
        let directory = FileManager.default.temporaryDirectory.path + "/webimage-first-screen-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let manager = WebImageManager(
            cache: ImageCache(directory: directory), loader: WebImageDownloader(config: config))
        let start = ContinuousClock.now
        let stage = makeStage(isGrid: isGrid, manager) { origin.url("/\($0)") }
        iterate { stage.completeFrame != nil }
        guard let end = stage.completeFrame else { return }
        check(stage, isGrid)
        // Four times the time of an answer.
        var (count, rest) = (0, ContinuousClock.now)
        iterate {
            if count != origin.requests.count { (count, rest) = (origin.requests.count, .now) }
            return ContinuousClock.now - rest > .seconds(1.2)
        }
        print("network \((end - start) / .seconds(1)) \(count)")
    }

    /// Puts all pictures that GTK binds on the disk.
    private static func fill(_ directory: String) {
        let cache = ImageCache(directory: directory)
        let stage = makeStage(WebImageManager(cache: cache, loader: PosterLoader()))
        stage.loadEverything()
        iterate { stage.boundCount > 0 && stage.ended.count == stage.boundCount }
        var isWritten = false
        Task {
            await cache.flush()
            isWritten = true
        }
        iterate { isWritten }
        print("fill \(stage.boundCount) 0")
    }

    /// Milliseconds from the first frame to the one with all visible pictures, which come from the disk; and the
    /// number of others whose decode has begun by then.
    private static func disk(_ directory: String) {
        let decodes = DecodeCount()
        let manager = WebImageManager(cache: ImageCache(directory: directory), loader: NoLoader())
        manager.listeners = [decodes]
        let stage = makeStage(manager)
        var others = 0
        stage.allArrived = { others = decodes.numbers.subtracting(stage.seen).count }
        iterate { stage.completeFrame != nil && stage.seen.isSubset(of: stage.ended) }
        check(stage, true)
        guard let start = stage.firstFrame, let end = stage.completeFrame else { return }
        print("disk \((end - start) / .milliseconds(1)) \(others)")
    }

    /// The number of visible cells that are drawn without their picture in the first frame, although memory has it;
    /// and that of all visible cells.
    private static func memory() {
        let directory = FileManager.default.temporaryDirectory.path + "/webimage-first-screen-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let manager = WebImageManager(cache: ImageCache(directory: directory), loader: PosterLoader())
        let former = makeStage(manager)
        iterate { former.completeFrame != nil }
        former.close()
        let stage = makeStage(manager)
        iterate { stage.firstFrame != nil }
        check(stage, true)
        print("memory \(stage.missingCount) \(stage.seen.count)")
    }

    private static func makeStage(
        isGrid: Bool = true, _ manager: WebImageManager, url: @escaping (Int) -> URL = PosterLoader.url
    ) -> FirstScreenStage { FirstScreenStage(isGrid: isGrid, manager: manager, url: url) }

    /// The figures mean nothing for another screen, for instance with another theme.
    private static func check(_ stage: FirstScreenStage, _ isGrid: Bool) {
        let (seen, bound) = (stage.seen.count, stage.boundCount)
        guard seen == (isGrid ? 24 : 10), !isGrid || bound >= 400 else {
            fatalError("\(seen) cells are visible, and \(bound) bound")
        }
    }

    /// Runs the main loop until `condition` holds, at most a minute.
    private static func iterate(until condition: () -> Bool) {
        let timer = g_timeout_add_full(G_PRIORITY_LOW, 5, { _ in 1 }, nil, nil)
        defer { g_source_remove(timer) }
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard ContinuousClock.now < end else { fatalError("the first screen is not complete after a minute") }
            g_main_context_iteration(nil, 1)
        }
    }
}

/// The pictures whose decodes have begun.
private final class DecodeCount: LoadListener {
    private let begun = Mutex<Set<Int>>([])

    var numbers: Set<Int> { begun.withLock { $0 } }

    func receive(_ event: LoadStageEvent) {
        guard event.stage == .decode, case .began = event.phase, let number = Int(event.url.lastPathComponent) else {
            return
        }
        begun.withLock { _ = $0.insert(number) }
    }
}

/// Answers at once.
private struct PosterLoader: ImageLoader {
    static func url(_ number: Int) -> URL {
        guard let url = URL(string: "http://pictures.example/\(number)") else { fatalError("no address") }
        return url
    }

    func canLoad(_ url: URL) -> Bool { true }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let number = Int(request.url.lastPathComponent) ?? 0
        receive(.finished(.success(ImageLoadResponse(data: SamplePoster.file(number)))))
        return EndedLoadTask()
    }
}

/// All pictures are on the disk.
private struct NoLoader: ImageLoader {
    func canLoad(_ url: URL) -> Bool { false }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        fatalError("\(request.url) is not on the disk")
    }
}
