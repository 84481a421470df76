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
    private var photographer: Photographer?
    private var scrolling: AutoScroll?
    private var trace: TracedMemoryCache?
    private var code = ExitCode.done

    init(_ options: GalleryOptions) {
        self.options = options
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
        if let window, code == .done { report(window.statistics, after: ContinuousClock.now - start) }
        return code
    }

    /// Starts the built-in server, unless another server has the pictures.
    private func startOrigin() -> Bool {
        guard options.origin == nil else { return true }
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
        let window = GalleryWindow(application, options, manager: makeManager(cache), cache: cache)
        self.window = window
        window.present { [weak self] in
            guard let self else { return }
            showPictures(in: window)
            scrolling = options.scroll.map { AutoScroll(window.grid, speed: $0, duration: options.seconds) }
        }
        photographer = Photographer(window, options) { [weak self] problem in self?.quit(problem) }
    }

    private func makeCache() -> ImageCache {
        let directory = options.cacheDirectory ?? ImageCache.defaultDirectory
        guard options.trace != nil else {
            var config = ImageCacheConfig.default
            // What is measured while scrolling is the library with its usual settings.
            config.storesThumbHashes = options.scroll == nil
            return ImageCache(directory: directory, config: config)
        }
        let memory = TracedMemoryCache(MemoryCache())
        trace = memory
        return ImageCache(memoryCache: memory, diskCache: DiskCache(directory: directory, config: .default))
    }

    private func makeManager(_ cache: ImageCache) -> WebImageManager {
        guard let origin else { return WebImageManager(cache: cache, loader: ImageLoadersManager.shared) }
        return WebImageManager(cache: cache, loader: GalleryLoader(origin: origin.origin))
    }

    private func showPictures(in window: GalleryWindow) {
        if let origin {
            window.show(origin.urls, from: options.network.title)
            let pictures = origin.pictures.suffix(HashedItems.count)
            window.fill(.hashes) { await Task.detached { HashedItems.items(of: Array(pictures)) }.value }
            window.fill(.animations) { await Task.detached { AnimatedItems.items(of: origin.serveAnimations()) }.value }
            return
        }
        guard let address = options.origin else { return }
        RemoteList(address: address).load { result in
            MainActor.assumeIsolated {
                switch result {
                case .success(let list):
                    for line in list.refused { complain("\(address): this is not an address: \(line)") }
                    window.show(list.urls, from: address)
                    window.fill(.hashes) { HashedItems.items(of: list.urls.suffix(HashedItems.count)) }
                    window.fill(.animations) { AnimatedItems.items(ofRemote: list.urls) }
                case .failure(let failure): self.quit(failure.message)
                }
            }
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
