import Glibc
import WebImageTestSupport

@testable import WebImage

extension ReferencePainter {
    /// Draws a page in space, from many points of each pixel.
    func paint(_ page: MovingPage, over result: inout Pixels) {
        let size = PointSize(width: scene.size.width * scene.scale, height: scene.size.height * scene.scale)
        let reference = PageReference(
            page.scaled(by: scene.scale).motion, size: size, page: picture(page.content, result.size),
            ground: page.background.flatMap { picture($0, result.size) })
        for (index, color) in reference.paint().enumerated() {
            let (x, y) = (index % result.size.width, index / result.size.width)
            result[x, y] = blend(color, over: result[x, y])
        }
    }

    /// A content at rest, in the pixels of the view.
    private func picture(_ content: TransitionLayer.Content, _ size: PixelSize) -> PageReference.Picture? {
        let (pixels, frame, isOpaque) =
            content == .new
            ? (new, scene.newFrame, scene.isNewOpaque) : (old, scene.oldFrame, scene.isOldOpaque)
        guard pixels != nil, frame != nil else { return nil }
        let layer = TransitionLayer(content, source: scene.bounds)
        let colors = (0..<size.area).map { index in
            seen(pixels, lyingIn: frame, layer, index % size.width, index / size.width)
        }
        return PageReference.Picture(x: 0, y: 0, size: size, colors: colors, isShaded: isOpaque)
    }
}

extension MovingPage {
    /// The motion that the reference computes.
    fileprivate var motion: PageReference.Motion {
        switch shape {
        case .flip(let flip): .flip(isAroundVertical: flip.axis == .horizontal, angle: atan2(flip.sine, flip.cosine))
        case .curl(let curl):
            .curl(x: curl.direction.x, y: curl.direction.y, fold: curl.fold, radius: curl.radius)
        case .zoom(let zoom): .zoom(zoom.factor)
        }
    }
}
