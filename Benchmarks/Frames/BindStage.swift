import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// A cell of a list on the screen, bound again and again to pictures that memory has.
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
        context.imageThumbnailPixelSize = PictureView(picture).imagePixelSize
        for url in urls {
            let pixels = [UInt8](repeating: 200, count: 160 * 120 * 4)
            let bitmap = try Bitmap(size: PixelSize(width: 160, height: 120), pixels: pixels)
            cache.storeInMemory(Image(bitmap: bitmap), for: manager.cacheKey(for: url, context: context))
        }
    }

    /// Microseconds of processor time that this thread takes for a bind; nothing is drawn meanwhile.
    func measure(seconds: Double) -> (microseconds: Double, count: Int) {
        let view = PictureView(picture)
        view.imageTransition = .fade
        var context = WebImageContext()
        context.imageManager = manager
        let end = ContinuousClock.now + .seconds(seconds)
        var (count, time) = (0, UInt64(0))
        while ContinuousClock.now < end {
            let start = MainThreadTime.threadTime
            for url in urls {
                view.setImage(with: url, options: .lowPriority, context: context)
                count += 1
            }
            time += MainThreadTime.threadTime - start
            guard view.image != nil else { fatalError("memory did not answer") }
            while g_main_context_iteration(nil, 0) != 0 {}
        }
        return (Double(time) / 1000 / Double(count), count)
    }
}
