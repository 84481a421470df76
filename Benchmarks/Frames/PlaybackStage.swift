import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// A window with pictures of one size, in rows of ten.
final class PlaybackStage {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    let window: Widget = gtk_window_new()
    let pictures: [Widget]

    init(count: Int = 1, size: PixelSize) {
        let grid: Widget = gtk_grid_new()
        pictures = (0..<count).map { index in
            let picture: Widget = gtk_picture_new()
            gtk_picture_set_can_shrink(OpaquePointer(picture), 1)
            gtk_widget_set_size_request(picture, Int32(size.width), Int32(size.height))
            gtk_grid_attach(
                UnsafeMutableRawPointer(grid).assumingMemoryBound(to: GtkGrid.self), picture, Int32(index % 10),
                Int32(index / 10), 1, 1)
            return picture
        }
        let topLevel = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_decorated(topLevel, 0)
        gtk_window_set_child(topLevel, grid)
        gtk_window_present(topLevel)
        while gtk_widget_get_width(pictures[0]) != size.width { g_main_context_iteration(nil, 1) }
    }

    /// Plays these animations, in as many views as there are, until there is another call.
    func play(_ images: [Image], views count: Int = 1) {
        for (index, picture) in pictures.enumerated() {
            PictureView(picture).image = index < count ? images[index % images.count] : nil
        }
    }

    var player: AnimatedImagePlayer? { PictureView(pictures[0]).player }

    func clear() { play([], views: 0) }
}

/// An animation of gdk-pixbuf in a `GtkPicture`, as apps play it: a timer for each frame.
final class PixbufPlayer {
    private let picture: PlaybackStage.Widget
    private let iterator: OpaquePointer
    private var timer: guint = 0

    init(_ path: String, in picture: PlaybackStage.Widget) {
        guard let animation = gdk_pixbuf_animation_new_from_file(path, nil),
            let iterator = gdk_pixbuf_animation_get_iter(animation, nil)
        else { fatalError("gdk-pixbuf does not read \(path)") }
        (self.picture, self.iterator) = (picture, iterator)
    }

    func start() {
        show()
        wait()
    }

    func stop() {
        g_source_remove(timer)
        gtk_picture_set_paintable(OpaquePointer(picture), nil)
    }

    private func wait() {
        timer = g_timeout_add(
            guint(max(0, gdk_pixbuf_animation_iter_get_delay_time(iterator))),
            { data in
                guard let data else { return 0 }
                Unmanaged<PixbufPlayer>.fromOpaque(data).takeUnretainedValue().advance()
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func advance() {
        if gdk_pixbuf_animation_iter_advance(iterator, nil) != 0 { show() }
        wait()
    }

    private func show() {
        guard let texture = gdk_texture_new_for_pixbuf(gdk_pixbuf_animation_iter_get_pixbuf(iterator)) else { return }
        gtk_picture_set_paintable(OpaquePointer(picture), texture)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }
}

/// Textures that are there already, shown in turn: what GTK itself takes.
final class TexturePlayer {
    private let picture: PlaybackStage.Widget
    private let textures: [Texture]
    private let interval: guint
    private var timer: guint = 0
    private(set) var shownCount = 0

    init(_ animation: any AnimatedImageProvider, in picture: PlaybackStage.Widget) throws {
        self.picture = picture
        textures = try (0..<animation.frameCount).map { Texture(try animation.frame(at: $0)) }
        interval = guint(animation.duration(at: 0) / .milliseconds(1))
    }

    func start() {
        timer = g_timeout_add(
            interval,
            { data in
                guard let data else { return 0 }
                Unmanaged<TexturePlayer>.fromOpaque(data).takeUnretainedValue().show()
                return 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func stop() {
        g_source_remove(timer)
        gtk_picture_set_paintable(OpaquePointer(picture), nil)
    }

    private func show() {
        shownCount += 1
        gtk_picture_set_paintable(OpaquePointer(picture), textures[shownCount % textures.count].pointer)
    }
}
