import CGtk4
import Foundation
import WebImage
import WebImageGTK

// One picture on its way into a window, by public API alone, and which functions have run meanwhile. scripts/survey counts them.
// usage: Walks uncached|memory|browser|nothing URL URL FOLDER      the second picture is the one that is counted

@_silgen_name("__llvm_profile_reset_counters") func resetCounters()
@_silgen_name("__llvm_profile_write_file") @discardableResult func writeCounters() -> Int32

/// A window with two pictures, and a browser of both.
@MainActor
final class Walks: PhotoBrowserDataSource, PhotoBrowserDelegate {
    private let kind: String
    private let urls: [URL]
    private let manager: WebImageManager
    private var pictures: [UnsafeMutablePointer<GtkWidget>] = []
    private lazy var browser = PhotoBrowser(dataSource: self)
    private var hasLoaded: @MainActor () -> Void = {}

    init(_ kind: String, _ urls: [URL], in folder: String) {
        self.kind = kind
        self.urls = urls
        manager = WebImageManager(cache: ImageCache(directory: folder))
    }

    func show(in application: UnsafeMutablePointer<GtkApplication>) {
        let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        for _ in urls {
            guard let picture = gtk_picture_new() else { continue }
            gtk_widget_set_size_request(picture, 300, 300)
            gtk_box_append(cast(box), picture)
            pictures.append(picture)
        }
        let overlay = gtk_overlay_new()
        gtk_overlay_set_child(cast(overlay), box)
        let window = gtk_application_window_new(application)
        gtk_window_set_default_size(cast(window), 800, 600)
        gtk_window_set_child(cast(window), overlay)
        gtk_window_present(cast(window))
        browser.delegate = self
        // The first picture makes all that a process makes once.
        load(0) { self.wait { self.warmUp() } }
    }

    private func warmUp() {
        switch kind {
        case "memory": load(1) { self.wait { self.walk() } }
        case "browser":
            load(1) {
                self.open(0) {
                    self.wait {
                        self.browser.dismiss()
                        self.wait { self.walk() }
                    }
                }
            }
        default: walk()
        }
    }

    private func walk() {
        resetCounters()
        switch kind {
        case "uncached", "memory": load(1) { self.drawAndEnd() }
        case "browser": open(1) { self.drawAndEnd() }
        default: drawAndEnd()
        }
    }

    private func load(_ index: Int, _ end: @escaping @MainActor () -> Void) {
        var context = WebImageContext()
        context.manager = manager
        if kind == "browser" {
            context.decodeOptions.thumbnailPixelSize = PixelSize(width: 300, height: 300)
        }
        PictureView(pictures[index]).setImage(with: urls[index], context: context) { result in
            if case .failure(let error) = result { self.fail("\(error)") }
            end()
        }
    }

    private func open(_ index: Int, _ end: @escaping @MainActor () -> Void) {
        hasLoaded = { [self] in
            hasLoaded = {}
            end()
        }
        browser.setCurrentPhotoIndex(index)
        browser.present(from: PictureView(pictures[index]))
    }

    /// The picture is drawn in a frame after the end of its load; in the browser it moves for a while.
    private func drawAndEnd() {
        let isLoad = kind == "uncached" || kind == "memory"
        DispatchQueue.main.asyncAfter(deadline: .now() + (isLoad ? 0.1 : 1)) {
            writeCounters()
            _exit(0)
        }
    }

    private func wait(_ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 2) { MainActor.assumeIsolated(body) }
    }

    private func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("Walks: \(text)\n".utf8))
        exit(1)
    }

    // MARK: PhotoBrowserDataSource, PhotoBrowserDelegate

    func numberOfPhotos(in browser: PhotoBrowser) -> Int { urls.count }

    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) -> Photo? {
        let photo = Photo(url: urls[index])
        photo.context.manager = manager
        return photo
    }

    func photoBrowser(_ browser: PhotoBrowser, thumbnailViewAt index: Int) -> (any WidgetView)? {
        PictureView(pictures[index])
    }

    func photoBrowser(_ browser: PhotoBrowser, didLoadPhotoAt index: Int, zoomScale: Double) { hasLoaded() }
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let application = gtk_application_new(nil, G_APPLICATION_NON_UNIQUE) else { exit(2) }
let walks = Walks(arguments[1], arguments[2...3].compactMap { URL(string: $0) }, in: arguments[4])
connect(application, "activate") { walks.show(in: application) }
exit(g_application_run(cast(application), 0, nil))
