import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting

@testable import WebImageGTK

/// A window of 800 × 600 points with thumbnails and a browser, whose loads, time and animations the test controls.
@MainActor
final class BrowserStage {
    let window = TestWindow.make()
    let thumbnails: [UnsafeMutablePointer<GtkWidget>]
    let animator = ManualAnimator()
    let clock = ManualAnimationClock()
    let loader = SuspendedLoader()
    let cache = SuspendedCache()
    let manager: WebImageManager
    let app: BrowserApp
    let browser: PhotoBrowser

    /// - Parameter count: The number of photos, each with an address.
    init(_ count: Int = 5, thumbnails thumbnailCount: Int = 1) {
        let loader = loader
        let manager = WebImageManager(cache: cache, loader: loader, coder: SizedColourCoder())
        self.manager = manager
        app = BrowserApp((0..<count).map { Self.photo($0, manager) })
        browser = PhotoBrowser(list: nil, dataSource: app, clock: clock, animator: animator)
        browser.delegate = app
        browser.pages.deck.clock = clock
        let row: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        thumbnails = (0..<thumbnailCount).map { _ in
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            PictureView(picture).fixedSize = PointSize(width: 100, height: 100)
            gtk_widget_set_valign(picture, GTK_ALIGN_START)
            gtk_box_append(row.of(GtkBox.self), picture)
            return picture
        }
        gtk_window_set_child(window.of(GtkWindow.self), row)
        gtk_window_set_default_size(window.of(GtkWindow.self), 800, 600)
    }

    static func url(_ index: Int) -> URL { URL(filePath: "/\(index).jpg").photo }

    static func photo(_ index: Int, _ manager: WebImageManager) -> Photo {
        let photo = Photo(url: url(index))
        photo.context.manager = manager
        return photo
    }

    func show() { gtk_window_present(window.of(GtkWindow.self)) }

    /// Shows the window with other content than the thumbnails.
    func show(_ content: UnsafeMutablePointer<GtkWidget>) {
        gtk_window_set_child(window.of(GtkWindow.self), content)
        show()
    }

    /// Shows the window with the browser, instead of the thumbnails.
    func embed() { show(browser.widget) }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    var deck: PageDeck { browser.pages.deck }
    var page: PhotoPage? { deck.current }
    var isReady: Bool { deck.view.width > 0 && page != nil }

    /// The loads of an index that have neither ended nor been cancelled.
    func pending(_ index: Int) -> [SuspendedLoad] { loader.loads(of: Self.url(index)).filter { !$0.isEnded } }

    func finish(_ index: Int, _ colour: Colour = .red, width: Int = 1600, height: Int = 900) {
        for load in pending(index) { load.finish(SizedColourCoder.file(colour, width: width, height: height)) }
    }

    func fail(_ index: Int) {
        for load in pending(index) { load.fail(.scripted) }
    }

    /// The drawing of the browser, a pixel for each point of its view; nil before it has anything to draw.
    var drawing: Rendering? {
        let size = deck.view
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(browser.pages.stage)) else { return nil }
        return Rendering(paintable, width: Int(size.width), height: Int(size.height))
    }

    /// The colour of the browser at a point of its view.
    func colour(x: Int, y: Int) -> Colour { drawing?.colour(x: x, y: y) ?? .clear }
}

extension URL {
    /// The same path on a host that does not exist.
    fileprivate var photo: URL { URL(string: "http://photos.invalid\(path)") ?? self }
}
