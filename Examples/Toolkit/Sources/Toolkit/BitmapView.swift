import WebImage

/// A view of a toolkit that has no screen: it draws its picture into a bitmap.
@MainActor
final class BitmapView: PictureSurface {
    private(set) lazy var presenter = PicturePresenter(for: self, in: scroller)
    private let scroller: ScrollerLoads?
    private let size: PointSize
    /// The place in the scroller; nil until it is laid out.
    var frameInScroller: PointRect?
    /// The pixels that the view shows.
    private(set) var canvas = Canvas(PixelSize(width: 1, height: 1))
    /// The colour in the middle of all that was drawn, without repetitions.
    private(set) var colors: [RGBAColor] = []

    init(side: Double, in scroller: ScrollerLoads? = nil) {
        size = PointSize(width: side, height: side)
        self.scroller = scroller
    }

    // MARK: PictureSurface

    var placement: SurfacePlacement? { SurfacePlacement(size: size, fit: .cover) }

    func show(_ content: SurfaceContent) {
        canvas = Canvas(PixelSize(width: Int(size.width), height: Int(size.height)))
        switch content {
        case .nothing: break
        case .picture(let picture): canvas.draw(picture)
        case .transition(let frame): for layer in frame.layers { canvas.draw(layer, of: frame) }
        }
        if let color = canvas.middle, color != colors.last { colors.append(color) }
    }

    func snapshot() -> Bitmap? { canvas.bitmap }
}
