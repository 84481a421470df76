import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// A list cell on the screen, bound repeatedly to pictures in memory.
final class BindStage {
    private let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
    private let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
    private let manager: WebImageManager
    private let urls: [URL]

    init() throws {
        let cache = ImageCache(directory: FileManager.default.temporaryDirectory.path + "/webimage-bind")
        manager = WebImageManager(cache: cache, loader: ImageLoadersManager.shared)
        urls = (0..<16).compactMap { URL(string: "https://example.org/pictures/of/some/length/\($0).jpg") }
        let list: UnsafeMutablePointer<GtkWidget> = gtk_list_box_new()
        gtk_widget_set_size_request(picture, 160, 120)
        gtk_list_box_append(OpaquePointer(list), picture)
        let topLevel = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_child(topLevel, list)
        gtk_window_present(topLevel)
        while gtk_widget_get_width(picture) == 0 { g_main_context_iteration(nil, 1) }
        try fill(cache)
    }

    private func fill(_ cache: ImageCache) throws {
        var context = WebImageContext()
        context.thumbnailPixelSize = PictureView(picture).imagePixelSize
        for url in urls {
            let pixels = [UInt8](repeating: 200, count: 160 * 120 * 4)
            let bitmap = try Bitmap(size: PixelSize(width: 160, height: 120), pixels: pixels)
            cache.storeInMemory(Image(bitmap: bitmap), for: manager.cacheKey(for: url, context: context))
        }
    }

    /// Microseconds of this thread's processor time per bind; nothing is drawn meanwhile.
    func measure(seconds: Double) -> (microseconds: Double, count: Int) {
        let view = PictureView(picture)
        view.imageTransition = .fade
        let placeholder =
            (try? Bitmap(size: PixelSize(width: 8, height: 6), pixels: [UInt8](repeating: 90, count: 192))).map {
                Image(bitmap: $0)
            }
        var context = WebImageContext()
        context.manager = manager
        return measure(seconds) {
            for url in urls {
                view.setImage(with: url, placeholder: placeholder, options: .lowPriority, context: context)
            }
        }
    }

    /// The same for GTK alone: a texture of existing pixels, set on the picture.
    func measureBare(seconds: Double) throws -> (microseconds: Double, count: Int) {
        let pixels = [UInt8](repeating: 200, count: 160 * 120 * 4)
        let bitmap = try Bitmap(size: PixelSize(width: 160, height: 120), pixels: pixels)
        return measure(seconds) {
            for _ in urls {
                let texture = Texture(bitmap)
                gtk_picture_set_paintable(OpaquePointer(picture), texture.pointer)
            }
        }
    }

    /// - Parameter bindAll: Binds each picture once.
    private func measure(_ seconds: Double, _ bindAll: () -> Void) -> (microseconds: Double, count: Int) {
        let end = ContinuousClock.now + .seconds(seconds)
        var (count, time) = (0, UInt64(0))
        while ContinuousClock.now < end {
            let start = MainThreadTime.threadTime
            bindAll()
            count += urls.count
            time += MainThreadTime.threadTime - start
            guard gtk_picture_get_paintable(OpaquePointer(picture)) != nil else { fatalError("memory did not answer") }
            while g_main_context_iteration(nil, 0) != 0 {}
        }
        return (Double(time) / 1000 / Double(count), count)
    }
}
