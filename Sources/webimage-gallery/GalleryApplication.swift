import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK
import WebImageTesting

/// The program.
final class GalleryApplication {
    private let options: GalleryOptions
    private let application: UnsafeMutablePointer<GtkApplication>
    private var origin: GalleryOrigin?
    private var window: GalleryWindow?
    private var contents: GalleryContents?
    /// What is remembered; as at first where nothing is.
    private let state: GalleryState
    private let sources: [PictureSource]
    private var photographer: Photographer?
    private var scrolling: AutoScroll?
    private var trace: TracedMemoryCache?
    private var code = ExitCode.done

    init(_ options: GalleryOptions) {
        self.options = options
        state = options.isMeasuring ? GalleryState() : GalleryState(file: GalleryState.defaultFile)
        sources = options.continues ? state.sources.compactMap { PictureSource($0) } : options.sources
        application = gtk_application_new("org.webimage.Gallery", G_APPLICATION_NON_UNIQUE)
    }

    func run() -> ExitCode {
        guard gtk_init_check() != 0, gdk_display_get_default() != nil else {
            complain("there is no display; set DISPLAY or WAYLAND_DISPLAY, or run it by xvfb-run")
            return .failed
        }
        MainLoopBridge.install()
        guard startOrigin() else { return .failed }
        connect(UnsafeMutableRawPointer(application), "activate") { self.activate() }
        let start = ContinuousClock.now
        g_application_run(UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self), 0, nil)
        if code == .done, let missed = photographer?.missed {
            complain(missed)
            code = .failed
        }
        remember()
        if let window, code == .done { report(window.statistics, after: ContinuousClock.now - start) }
        return code
    }

    /// Starts the built-in server, unless another server has the pictures.
    private func startOrigin() -> Bool {
        guard options.origin == nil, sources.isEmpty else { return true }
        do {
            origin = try GalleryOrigin(SamplePictures.load(), network: NetworkProfile(options.network))
        } catch {
            complain("\(error)")
            return false
        }
        guard origin?.urls.isEmpty == false else {
            complain("the pictures that belong to this program are missing; run it where it was built")
            return false
        }
        return true
    }

    private func activate() {
        GalleryStyle.install()
        let cache = makeCache()
        let loader = loader
        let window = GalleryWindow(
            application, options, manager: WebImageManager(cache: cache, loader: loader), cache: cache, state: state)
        self.window = window
        let contents = GalleryContents(window, loader: loader) { [weak self] in self?.hasNoPictures($0) }
        self.contents = contents
        window.present { [weak self] in
            guard let self else { return }
            showPictures(contents)
            scrolling = options.scroll.map { AutoScroll(window.grid, speed: $0, duration: options.seconds) }
        }
        photographer = Photographer(window, options) { [weak self] problem in self?.quit(problem) }
    }

    private func showPictures(_ contents: GalleryContents) {
        if !sources.isEmpty {
            contents.show(sources)
        } else if let origin {
            contents.show(origin, from: options.network.title)
        } else if let address = options.origin {
            contents.show(list: address)
        }
    }

    /// The window stays for a drop; a list that was asked for by `--origin`, or a screenshot, ends the program.
    private func hasNoPictures(_ problem: String) {
        if options.origin != nil || options.isMeasuring { quit(problem) }
    }

    private func makeCache() -> ImageCache {
        let directory = options.cacheDirectory ?? ImageCache.defaultDirectory
        guard options.trace != nil else {
            var config = ImageCacheConfig.default
            // What is measured while scrolling is the library with its usual settings.
            config.storesThumbHashes = options.scroll == nil
            config.maxDiskSize = state.diskLimit.byteCount
            return ImageCache(directory: directory, config: config)
        }
        let memory = TracedMemoryCache(MemoryCache())
        trace = memory
        return ImageCache(memoryCache: memory, diskCache: DiskCache(directory: directory, config: .default))
    }

    /// Pictures of the built-in server, of the web, and of all places that GIO knows.
    private var loader: any ImageLoader {
        let loaders = ImageLoadersManager.shared.loaders + [PlaceLoader.make()]
        return ImageLoadersManager(loaders: loaders + (origin.map { [GalleryLoader(origin: $0.origin)] } ?? []))
    }

    /// Writes what the next start begins with.
    private func remember() {
        guard let window, let contents, !options.isMeasuring else { return }
        var state = GalleryState()
        state.sources = contents.sources.map(\.address)
        state.order = window.order
        state.transition = window.transition
        let limit = window.cache.config.maxDiskSize
        state.diskLimit = DiskLimit.allCases.first { $0.byteCount == limit } ?? .standard
        (state.width, state.height) = window.size
        state.isMaximized = window.isMaximized
        do throws(SourceProblem) {
            try state.write(to: GalleryState.defaultFile)
        } catch {
            complain(error.message)
        }
    }

    private func quit(_ problem: String?) {
        if let problem {
            complain(problem)
            code = .failed
        }
        g_application_quit(UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self))
    }

    private func report(_ statistics: GalleryStatistics, after duration: Duration) {
        print("\(statistics.summary); \(duration.inSeconds)")
        if let path = options.trace, let trace { save(Data(trace.text.utf8), to: path) }
        guard let result = scrolling?.result() else { return }
        print(result.summary)
        write(result)
    }

    private func write(_ result: ScrollReport) {
        guard let path = options.report, let report = try? JSONEncoder().encode(result) else { return }
        save(report, to: path)
    }

    private func save(_ data: Data, to path: String) {
        do {
            try data.write(to: URL(filePath: path))
        } catch {
            complain("\(path): the report could not be written; is its directory there, and may it be written?")
            code = .failed
        }
    }
}
