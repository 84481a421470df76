import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// Measures animations in a window, and prints two numbers.
enum Playback {
    static let usage = """
        playback (cost FILE GIF | bare FILE | video FILE VIDEO | has-video | late FILE | views FILE | hidden FILE \
        | main FILE | memory FILE)
        """

    private static let size = PixelSize(width: 480, height: 270)
    private static let rounds = 3
    private static let seconds = 4.0

    /// - Returns: false for arguments that it does not know.
    static func run(_ arguments: [String]) throws -> Bool {
        let files = Array(arguments.dropFirst())
        switch (arguments.first, files.count) {
        case ("cost", 2): try cost(files[0], pixbuf: files[1])
        case ("bare", 1): try bare(files[0])
        case ("video", 2): try video(files[0], files[1])
        case ("has-video", 0): print("has-video \(hasVideo ? 1 : 0) 0")
        case ("late", 1): try late(files[0])
        case ("views", 1): try views(files[0])
        case ("hidden", 1): try hidden(files[0])
        case ("main", 1): try mainThread(files[0])
        case ("memory", 1): try memory(files[0])
        default: return false
        }
        return true
    }

    private static func image(_ path: String, size: PixelSize? = nil) throws -> Image {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = size
        let image = try ImageCodersManager.shared.decode(Data(contentsOf: URL(filePath: path)), options: options)
        guard image.animation != nil else { fatalError("\(path) is no animation") }
        return image
    }

    /// Milliseconds of processor time per second, ours and gdk-pixbuf's.
    private static func cost(_ path: String, pixbuf: String) throws {
        let stage = PlaybackStage(size: size)
        let (image, rival) = (try image(path), PixbufPlayer(pixbuf, in: stage.pictures[0]))
        compare("cost") {
            stage.play([image])
        } ourEnd: {
            stage.clear()
        } rival: {
            rival.start()
        } rivalEnd: {
            rival.stop()
        }
    }

    /// The same for ours and for GTK alone with textures that are there already.
    private static func bare(_ path: String) throws {
        let stage = PlaybackStage(size: size)
        let image = try image(path)
        guard let animation = image.animation else { return }
        let rival = try TexturePlayer(animation, in: stage.pictures[0])
        compare("bare") {
            stage.play([image])
        } ourEnd: {
            stage.clear()
        } rival: {
            rival.start()
        } rivalEnd: {
            rival.stop()
        }
    }

    /// The same for ours and GTK's media file.
    private static func video(_ path: String, _ video: String) throws {
        let stage = PlaybackStage(size: size)
        let image = try image(path)
        let media: UnsafeMutablePointer<GtkMediaStream> = gtk_media_file_new_for_filename(video)
        gtk_media_stream_set_loop(media, 1)
        gtk_media_stream_set_muted(media, 1)
        compare("video") {
            stage.play([image])
        } ourEnd: {
            stage.clear()
        } rival: {
            gtk_picture_set_paintable(OpaquePointer(stage.pictures[0]), OpaquePointer(media))
            gtk_media_stream_play(media)
        } rivalEnd: {
            gtk_media_stream_pause(media)
            gtk_picture_set_paintable(OpaquePointer(stage.pictures[0]), nil)
        }
        if let error = gtk_media_stream_get_error(media) { fatalError(String(cString: error.pointee.message)) }
    }

    /// Whether GTK has a backend that plays videos.
    private static var hasVideo: Bool {
        let media: UnsafeMutablePointer<GtkMediaStream> = gtk_media_file_new()
        defer { g_object_unref(media) }
        return String(
            cString: g_type_name_from_instance(
                UnsafeMutableRawPointer(media).assumingMemoryBound(to: GTypeInstance.self)))
            != "GtkNoMediaFile"
    }

    private static func compare(
        _ name: String, ours: () -> Void, ourEnd: () -> Void, rival: () -> Void, rivalEnd: () -> Void
    ) {
        var costs: (ours: [Double], rival: [Double]) = ([], [])
        for _ in 0..<rounds {
            ours()
            costs.ours.append(cost())
            ourEnd()
            rival()
            costs.rival.append(cost())
            rivalEnd()
        }
        print("\(name) \(median(costs.ours)) \(median(costs.rival))")
    }

    /// After a second of warming up.
    private static func cost() -> Double {
        _ = ProcessorTime.ofMainLoop(seconds: 1)
        return ProcessorTime.ofMainLoop(seconds: seconds).all
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// The longest delay of a frame in milliseconds, and the share of frames that are more than 4 ms late.
    private static func late(_ path: String) throws {
        let stage = PlaybackStage(size: size)
        stage.play([try image(path)])
        _ = ProcessorTime.ofMainLoop(seconds: 10)
        guard let statistics = stage.player?.statistics, statistics.shownCount > 400 else {
            fatalError("only \(stage.player?.statistics.shownCount ?? 0) frames")
        }
        let count = statistics.lateCount + statistics.skippedCount
        print("late \(statistics.longestDelay / .milliseconds(1)) \(Double(count) / Double(statistics.shownCount))")
    }

    /// Milliseconds of processor time per second for fifty views of ten animations, and for ten views.
    private static func views(_ path: String) throws {
        let size = PixelSize(width: 96, height: 54)
        let stage = PlaybackStage(count: 50, size: size)
        let images = try (0..<10).map { _ in try image(path, size: size) }
        compare("views") {
            stage.play(images, views: 50)
        } ourEnd: {
            stage.clear()
        } rival: {
            stage.play(images, views: 10)
        } rivalEnd: {
            stage.clear()
        }
    }

    /// Milliseconds of processor time per second in a window that is hidden, and before that.
    private static func hidden(_ path: String) throws {
        let stage = PlaybackStage(size: size)
        stage.play([try image(path)])
        let shown = cost()
        gtk_widget_set_visible(stage.window, 0)
        print("hidden \(cost()) \(shown)")
    }

    /// Milliseconds of the main thread's processor time per frame: of this library's own work, and all that is more than
    /// what GTK takes for textures that are there already.
    private static func mainThread(_ path: String) throws {
        let stage = PlaybackStage(size: size)
        let image = try image(path)
        MainThreadTime.isMeasured = true
        stage.play([image])
        _ = cost()
        let before = stage.player?.statistics.shownCount ?? 0
        _ = MainThreadTime.take()
        let all = ProcessorTime.ofMainLoop(seconds: seconds).main
        let own = Double(MainThreadTime.take()) / 1e6
        let count = Double(max(1, (stage.player?.statistics.shownCount ?? 0) - before))
        stage.clear()
        guard let animation = image.animation else { return }
        let bare = try TexturePlayer(animation, in: stage.pictures[0])
        bare.start()
        _ = cost()
        let bareBefore = bare.shownCount
        let bareAll = ProcessorTime.ofMainLoop(seconds: seconds).main
        let bareCount = Double(max(1, bare.shownCount - bareBefore))
        print("main \(own / count) \(all * seconds / count - bareAll * seconds / bareCount)")
    }

    /// Megabytes of pictures and frames at most while ten animations play, and of the budget, which is a third of what
    /// they take without one.
    private static func memory(_ path: String) throws {
        let stage = PlaybackStage(count: 10, size: PixelSize(width: 96, height: 54))
        let images = try (0..<10).map { _ in try image(path) }
        MemoryBudget.shared.byteLimit = 1 << 30
        stage.play(images, views: 10)
        var unbounded = 0
        _ = ProcessorTime.ofMainLoop(seconds: 3) { unbounded = max(unbounded, MemoryBudget.shared.usedByteCount) }
        MemoryBudget.shared.byteLimit = unbounded / 3
        let before = stage.player?.statistics.shownCount ?? 0
        var most = 0
        _ = ProcessorTime.ofMainLoop(seconds: seconds) { most = max(most, MemoryBudget.shared.usedByteCount) }
        guard stage.player?.statistics.shownCount ?? 0 > before else { fatalError("nothing plays with \(most) bytes") }
        print("memory \(Double(most) / 1e6) \(Double(unbounded / 3) / 1e6)")
    }
}
