import CGtk4
import FoundationEssentials
import WebImage
import WebImageCommandLine
import WebImageGTK
import WebImageTesting

/// The program.
final class GalleryApplication {
    private let options: GalleryOptions
    private let application: UnsafeMutablePointer<GtkApplication>
    private var origin: GalleryOrigin?
    private var window: GalleryWindow?
    private var contents: GalleryContents?
    /// The remembered state; the initial one if nothing is remembered.
    private let state: GalleryState
    private var sources: [PictureSource]
    /// Opened large at the beginning.
    private var opening: OpenedPicture?
    private var keeper: StateKeeper?
    private var screenshots: ScreenshotTimer?
    private var scrolling: AutoScroll?
    private var code = ExitCode.done

    init(_ options: GalleryOptions) {
        self.options = options
        state = options.isMeasuring ? GalleryState() : GalleryState(file: GalleryState.defaultFile)
        sources = options.continues ? state.sources : options.sources
        let flags = GApplicationFlags(rawValue: G_APPLICATION_NON_UNIQUE.rawValue | G_APPLICATION_HANDLES_OPEN.rawValue)
        application = gtk_application_new("org.webimage.Gallery", flags)
    }

    func run() -> ExitCode {
        guard startOrigin() else { return .failed }
        let cache = makeCache()
        let manager = WebImageManager(cache: cache, loader: loader)
        // GTK takes longer to start than most pictures to be decoded.
        if options.opensPicture { opening = OpenedPicture(sources, manager, size: (state.width, state.height)) }
        SoftwareRendering.prepare()
        guard gtk_init_check() != 0, gdk_display_get_default() != nil else {
            complain("there is no display; set DISPLAY or WAYLAND_DISPLAY, or run it by xvfb-run")
            return .failed
        }
        MainLoopBridge.install()
        connect(UnsafeMutableRawPointer(application), "activate") { self.activate(manager, cache) }
        FileOpening.accept(on: application) { self.open($0) }
        endAtSignals()
        let start = ContinuousClock.now
        g_application_run(cast(application), 0, nil)
        if code == .done, let missed = screenshots?.missed {
            complain(missed)
            code = .failed
        }
        keeper?.write()
        if let window, code == .done { report(window.statistics, after: ContinuousClock.now - start) }
        return code
    }

    /// Starts the built-in server, unless there are sources.
    private func startOrigin() -> Bool {
        guard sources.isEmpty else { return true }
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

    private func activate(_ manager: WebImageManager, _ cache: ImageCache) {
        if let window { return gtk_window_present(cast(window.window)) }
        GalleryStyle.install()
        let window = GalleryWindow(application, options, manager: manager, cache: cache, state: state)
        self.window = window
        let contents = GalleryContents(window, loader: manager.loader) { [weak self] in self?.hasNoPictures($0) }
        self.contents = contents
        manager.interceptors = [contents.previews]
        if !options.isMeasuring { remember(window, contents) }
        if let opening { contents.open(opening.picture, opening.photo) }
        window.present { [weak self] in
            guard let self else { return }
            if opening == nil { showPictures(contents) }
            opening = nil
            scrolling = options.scroll.map { AutoScroll(window.grid, speed: $0, duration: options.seconds) }
        }
        screenshots = ScreenshotTimer(window, options) { [weak self] problem in self?.quit(problem) }
    }

    private func showPictures(_ contents: GalleryContents) {
        if let origin {
            contents.show(origin, from: options.network.title)
        } else {
            let top = options.continues ? state.top : nil
            contents.show(
                sources, isRemembered: options.isRemembered, top: top, opensPicture: options.opensPicture)
        }
    }

    /// Files that the desktop brings.
    private func open(_ files: [PictureSource]) {
        if contents == nil { (sources, origin, opening) = (files, nil, nil) }
        g_application_activate(cast(application))
        guard !files.isEmpty else { return }
        contents?.show(files, isRemembered: options.isRemembered, opensPicture: options.opensPicture)
    }

    /// The window stays for a drop, unless there is nothing to be measured.
    private func hasNoPictures(_ problem: String) { if options.isMeasuring { quit(problem) } }

    private func makeCache() -> ImageCache {
        let directory = options.cacheDirectory ?? ImageCache.defaultDirectory
        var config = ImageCacheConfig.default
        // A measurement of scrolling is one of the library with its usual settings.
        config.storesThumbHashes = options.scroll == nil
        config.maxDiskSize = state.diskLimit.byteCount
        return ImageCache(directory: directory, config: config)
    }

    /// Pictures of the built-in server, of the web, and of all places that GIO knows.
    private var loader: any ImageLoader {
        let loaders = ImageLoadersManager.shared.loaders + [PlaceLoader.make()]
        return ImageLoadersManager(loaders: loaders + (origin.map { [GalleryLoader(origin: $0.origin)] } ?? []))
    }

    /// Writes what the next start begins with, after each change.
    private func remember(_ window: GalleryWindow, _ contents: GalleryContents) {
        // The built-in pictures by another network are looked at once.
        let kept = options.isBuiltIn ? [] : state.sources
        let keeper = StateKeeper(file: GalleryState.defaultFile, written: state) { [state] in
            var now = window.state(sources: contents.remembered ?? kept)
            if contents.remembered == nil { now.top = kept.isEmpty ? nil : state.top }
            return now
        }
        window.changed = { [weak keeper] in keeper?.noteChange() }
        keeper.noteChange()
        self.keeper = keeper
    }

    /// The end of the session, or of the terminal, ends the program as the button of its window does.
    private func endAtSignals() {
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            g_unix_signal_add(
                signal,
                { application in
                    g_application_quit(application?.assumingMemoryBound(to: GApplication.self))
                    return 1
                }, application)
        }
    }

    private func quit(_ problem: String?) {
        if let problem {
            complain(problem)
            code = .failed
        }
        g_application_quit(cast(application))
    }

    private func report(_ statistics: GalleryStatistics, after duration: Duration) {
        print("\(statistics.summary); \(duration.inSeconds)")
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
