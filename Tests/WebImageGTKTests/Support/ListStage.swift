import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting

@testable import WebImageGTK

/// A list of pictures in a scroller on the screen, whose clock the test moves.
@MainActor
final class ListStage {
    let window = TestWindow.make()
    private let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
    private let list: UnsafeMutablePointer<GtkWidget> = gtk_list_box_new()
    private(set) var pictures: [UnsafeMutablePointer<GtkWidget>] = []

    let loader = SuspendedLoader()
    let cache = SuspendedCache()
    let manager: WebImageManager

    /// The scrollers' time in microseconds.
    var time: Int64 = 1_000_000

    /// - Parameters:
    ///   - size: The requested size of each picture, in points; nil leaves it to the list.
    ///   - isStretched: Whether pictures are as wide as the list; otherwise they are 64 × 64 points.
    init(pictures count: Int, size: Int32? = 64, isStretched: Bool = true, coder: PosterCoder = PosterCoder()) {
        manager = WebImageManager(cache: cache, loader: loader, coder: coder)
        gtk_window_set_default_size(window.of(GtkWindow.self), 300, 300)
        gtk_window_set_child(window.of(GtkWindow.self), scroller)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), list)
        for _ in 0..<count { add(size, isStretched) }
        area.time = { [weak self] _ in self?.time ?? 0 }
        loadWindow = .everything
        WindowLoads.around(list)?.patience = .zero
    }

    /// All pictures by default.
    var loadWindow: LoadWindow {
        get { PictureList(scroller).loadWindow }
        set { PictureList(scroller).loadWindow = newValue }
    }

    /// The pictures that are within the visible part of the list, as a whole.
    var seen: [Int] {
        pictures.indices.filter { index in
            var bounds = graphene_rect_t()
            guard gtk_widget_compute_bounds(pictures[index], scroller, &bounds) != 0 else { return false }
            return bounds.origin.y >= 0
                && bounds.origin.y + bounds.size.height <= Float(gtk_widget_get_height(scroller))
        }
    }

    private func add(_ size: Int32?, _ isStretched: Bool) {
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        if let size { gtk_widget_set_size_request(picture, size, size) }
        let cell: UnsafeMutablePointer<GtkWidget>
        if isStretched {
            cell = picture
        } else {
            cell = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
            SquareLayout.install(on: cell)
            gtk_box_append(cell.of(GtkBox.self), picture)
        }
        gtk_list_box_append(OpaquePointer(list), cell)
        pictures.append(picture)
    }

    /// Appends a widget of another kind.
    func append(_ widget: UnsafeMutablePointer<GtkWidget>) { gtk_list_box_append(OpaquePointer(list), widget) }

    /// The scroller's state for views.
    var area: ScrollArea {
        guard let area = ScrollArea.around(list) else { preconditionFailure("the list is in a scroller") }
        return area
    }

    func show() { gtk_window_present(window.of(GtkWindow.self)) }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    func view(_ index: Int) -> PictureView { PictureView(pictures[index]) }

    var isOnScreen: Bool { pictures.allSatisfy { gtk_widget_get_mapped($0) != 0 && gtk_widget_get_width($0) > 0 } }

    func url(_ name: String) -> URL { URL(filePath: "/pictures").appending(path: name) }

    /// Binds a cell to a picture.
    @discardableResult
    func bind(
        _ index: Int, to name: String, _ options: WebImageOptions = [], placeholder: Image? = nil,
        configure: (inout WebImageContext) -> Void
    ) -> LoadOperation? {
        var context = context
        configure(&context)
        return view(index).setImage(with: url(name), placeholder: placeholder, options: options, context: context)
    }

    /// Binds a cell to a picture.
    @discardableResult
    func bind(
        _ index: Int, to name: String, _ options: WebImageOptions = [], completed: PictureView.Completion? = nil
    ) -> LoadOperation? {
        view(index).setImage(with: url(name), options: options, context: context, completed: completed)
    }

    private var context: WebImageContext {
        var context = WebImageContext()
        context.manager = manager
        return context
    }

    /// The last path components of the requests to the loader, in order.
    var asked: [String] { loader.loads.map(\.request.url.lastPathComponent) }

    /// The box of each load.
    var boxes: [PixelSize?] { loader.loads.map(\.request.context.thumbnailPixelSize) }

    func finish(_ name: String, _ colour: Colour) {
        for load in loader.loads(of: url(name)) { load.finish(colour.file) }
    }

    /// Scrolls the list by `points` within a frame.
    func scroll(by points: Double) {
        time += 16_667
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + points)
    }

    /// The number of frames that the scroller's widget has begun so far.
    var frame: Int64 { gtk_widget_get_frame_clock(scroller).map { Int64(gdk_frame_clock_get_frame_counter($0)) } ?? 0 }

    func queueDraw() { gtk_widget_queue_draw(scroller) }
}

/// Decodes the four bytes of a colour to a poster of 400 × 300 pixels, or to a thumbnail of it.
struct PosterCoder: ImageCoder {
    static let size = PixelSize(width: 400, height: 300)

    /// Whether thumbnails are marked as such; those from files of their own are not.
    var marksThumbnails = true

    func canDecode(_ data: Data) -> Bool { true }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        ImageProperties(format: .png, pixelSize: Self.size)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let bytes = [UInt8](data)
        let colour = Colour(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes[3])
        let size = options.outputSize(for: Self.size)
        return Image(
            bitmap: try colour.image(width: size.width, height: size.height).bitmap,
            metadata: ImageMetadata(
                format: .png, originalPixelSize: Self.size, isThumbnail: marksThumbnails && size != Self.size),
            decodeOptions: options)
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "posters are not encoded")
    }
}
