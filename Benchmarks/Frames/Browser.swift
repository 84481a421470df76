import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// Measures the photo browser in a window, and prints two numbers.
enum Browser {
    static let usage = "browser (flight | turn | grid | pan FILE | memory FILE)"

    private static let rounds = 15

    /// - Returns: false for arguments that it does not know.
    static func run(_ arguments: [String]) throws -> Bool {
        switch (arguments.first, arguments.count) {
        case ("flight", 1): try flight()
        case ("turn", 1): try turn()
        case ("grid", 1):
            let (ours, bare) = try BrowserGrid.measure()
            print("grid \(ours) \(bare)")
        case ("pan", 2): try pan(arguments[1])
        case ("memory", 2): try memory(arguments[1])
        default: return false
        }
        return true
    }

    /// Milliseconds from the call to the end of the frame that shows it, and those of GTK alone.
    private static func flight() throws {
        let stage = PlaybackStage(count: 1, size: PixelSize(width: 1000, height: 700))
        let picture = try BrowserPicture.make(1)
        PictureView(stage.pictures[0]).image = picture
        settle(stage.window)
        var times: [Double] = []
        for _ in 0..<rounds {
            let browser = PhotoBrowser(photos: [Photo(image: picture)])
            times.append(time(of: stage.window) { browser.present(from: PictureView(stage.pictures[0])) })
            settle(stage.window)
            browser.dismiss()
            settle(stage.window)
        }
        print("flight \(times.median) \(try bare())")
    }

    /// The same for a turn to a photo that is in memory.
    private static func turn() throws {
        let browser = PhotoBrowser(photos: try (0..<3).map { Photo(image: try BrowserPicture.make($0)) })
        let window = show(browser)
        var times: [Double] = []
        for round in 0..<rounds {
            times.append(
                time(of: window) {
                    round.isMultiple(of: 2)
                        ? browser.showNextPhoto(animated: false) : browser.showPreviousPhoto(animated: false)
                })
            settle(window)
        }
        print("turn \(times.median) \(try bare())")
    }

    /// The same for a `GtkPicture` that gets another texture.
    private static func bare() throws -> Double {
        let stage = PlaybackStage(count: 1, size: PixelSize(width: 1000, height: 700))
        let textures = try (0..<2).map { try BrowserPicture.make($0).makeTexture() }
        settle(stage.window)
        let times = (0..<rounds).map { round in
            let time = time(of: stage.window) {
                gtk_picture_set_paintable(OpaquePointer(stage.pictures[0]), textures[round % 2])
            }
            settle(stage.window)
            return time
        }
        for texture in textures { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return times.median
    }

    /// Milliseconds of processor time per frame of a pan and a zoom over a huge file, and those of a `GtkPicture` of the
    /// same size that gets another texture in each frame.
    private static func pan(_ path: String) throws {
        let (browser, window) = show(hugeFile: path)
        // The file's index is made meanwhile.
        _ = frames(of: window, seconds: 8) { browser.pan(byX: $0 % 80 < 40 ? -12 : 12, y: 0) }
        let moving = frames(of: window, seconds: 4) { walk(browser, $0) }
        print("pan \(moving) \(try bareFrames())")
    }

    /// Always to the right, over what was not seen before.
    private static func walk(_ browser: PhotoBrowser, _ number: Int) {
        browser.pan(byX: -12, y: number % 50 < 25 ? -9 : 9)
        if number.isMultiple(of: 20) { browser.zoom(to: number.isMultiple(of: 40) ? 0.5 : 0.8, atX: 500, y: 350) }
    }

    /// The largest memory of this process in megabytes, while it walks over a huge file, and without that.
    private static func memory(_ path: String) throws {
        _ = try bareFrames()
        let before = try ProcessMemory.peakMegabytes()
        let (browser, window) = show(hugeFile: path)
        for seconds in [8.0, 12] { _ = frames(of: window, seconds: seconds) { walk(browser, $0) } }
        print("memory \(try ProcessMemory.peakMegabytes()) \(before)")
    }

    /// A browser whose picture is zoomed to half of its size, at its left edge.
    private static func show(hugeFile path: String) -> (PhotoBrowser, UnsafeMutablePointer<GtkWidget>) {
        let browser = PhotoBrowser(photos: [Photo(url: URL(filePath: path))])
        let window = show(browser)
        while browser.currentPhoto?.underlyingImage == nil { g_main_context_iteration(nil, 1) }
        settle(window)
        browser.zoom(to: 0.5, atX: 500, y: 350)
        browser.pan(byX: 100_000, y: 0)
        return (browser, window)
    }

    private static func bareFrames() throws -> Double {
        let stage = PlaybackStage(count: 1, size: PixelSize(width: 1000, height: 700))
        let textures = try (0..<2).map { try BrowserPicture.make($0).makeTexture() }
        settle(stage.window)
        let time = frames(of: stage.window, seconds: 2) { number in
            gtk_picture_set_paintable(OpaquePointer(stage.pictures[0]), textures[number % 2])
        }
        for texture in textures { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return time
    }

    private static func show(_ browser: PhotoBrowser) -> UnsafeMutablePointer<GtkWidget> {
        let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
        let topLevel = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(topLevel, 1000, 700)
        gtk_window_set_child(topLevel, browser.widget)
        gtk_window_present(topLevel)
        settle(window)
        return window
    }

    private static func settle(_ window: UnsafeMutablePointer<GtkWidget>) { wait(seconds: 0.6) }

    private static func wait(seconds: Double) {
        _ = ProcessorTime.ofMainLoop(seconds: seconds)
    }

    /// Milliseconds from `body` to the end of the next frame.
    private static func time(of window: UnsafeMutablePointer<GtkWidget>, _ body: () -> Void) -> Double {
        guard let clock = gtk_widget_get_frame_clock(window) else { return .infinity }
        var isPainted = false
        let start = ContinuousClock.now
        body()
        let handler = connect(UnsafeMutableRawPointer(clock), "after-paint") { isPainted = true }
        while !isPainted { g_main_context_iteration(nil, 1) }
        let time = ContinuousClock.now - start
        g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler)
        return Double(time.components.attoseconds) * 1e-15 + Double(time.components.seconds) * 1e3
    }

    /// Milliseconds of processor time for each frame.
    private static func frames(
        of window: UnsafeMutablePointer<GtkWidget>, seconds: Double, _ body: @escaping (Int) -> Void
    ) -> Double {
        guard let clock = gtk_widget_get_frame_clock(window) else { return .infinity }
        var count = 0
        let handler = connect(UnsafeMutableRawPointer(clock), "update") {
            count += 1
            body(count)
        }
        gdk_frame_clock_begin_updating(clock)
        let start = ProcessorTime.seconds
        _ = ProcessorTime.ofMainLoop(seconds: seconds)
        let spent = ProcessorTime.seconds - start
        gdk_frame_clock_end_updating(clock)
        g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler)
        return spent * 1000 / Double(max(1, count))
    }
}

/// Pictures of the size that a page decodes, one colour each.
private enum BrowserPicture {
    static func make(_ number: Int) throws -> Image {
        let size = PixelSize(width: 1000, height: 750)
        let colour: [UInt8] = [UInt8(40 * number + 60), 120, 200, 255]
        return Image(bitmap: try Bitmap(size: size, pixels: (0..<size.area).flatMap { _ in colour }))
    }
}

extension [Double] {
    fileprivate var median: Double { isEmpty ? .infinity : sorted()[count / 2] }
}
