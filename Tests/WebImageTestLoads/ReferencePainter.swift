import WebImageCore
import WebImagePresentation
import WebImageTestSupport

/// The expected pixels of a transition's layers, computed slowly and literally: for each pixel of the view the visible
/// point of the picture, interpolated between its four neighbours.
package struct ReferencePainter {
    private let scene: TransitionScene
    private let old: Pixels?
    private let new: Pixels?
    private let blurredNew: Pixels?
    private let motion: (MovingPage, _ scale: Double) -> PageReference.Motion

    /// - Parameters:
    ///   - blurredNew: The new picture, reduced so far that enlarging it blurs it.
    ///   - motion: How a page moves, with lengths in pixels.
    package init(
        scene: TransitionScene, old: Pixels?, new: Pixels?, blurredNew: Pixels?,
        motion: @escaping (MovingPage, _ scale: Double) -> PageReference.Motion
    ) {
        self.scene = scene
        self.old = old
        self.new = new
        self.blurredNew = blurredNew
        self.motion = motion
    }

    package func paint(_ layers: [TransitionLayer]) -> Pixels {
        let size = PixelSize(
            width: Int((scene.size.width * scene.scale).rounded(.up)),
            height: Int((scene.size.height * scene.scale).rounded(.up)))
        var result = Pixels(size)
        for layer in layers {
            if case .page(let page) = layer.content {
                paint(page, over: &result)
                continue
            }
            for y in pixels(layer.frame.y, layer.frame.maxY, size.height) {
                for x in pixels(layer.frame.x, layer.frame.maxX, size.width) {
                    result[x, y] = color(x, y, layer, over: result[x, y])
                }
            }
        }
        return result
    }

    private func pixels(_ start: Double, _ end: Double, _ count: Int) -> Range<Int> {
        let first = max(0, Int((start * scene.scale).rounded(.down)))
        let last = min(count, Int((end * scene.scale).rounded(.up)))
        return first..<max(first, last)
    }

    private func color(_ x: Int, _ y: Int, _ layer: TransitionLayer, over back: SIMD4<Float>) -> SIMD4<Float> {
        let opacity = Float(min(1, max(0, layer.opacity)))
        func old() -> SIMD4<Float> { seen(self.old, lyingIn: scene.oldFrame, layer, x, y) }
        func new() -> SIMD4<Float> { seen(self.new, lyingIn: scene.newFrame, layer, x, y) }
        switch layer.content {
        case .old: return blend(old() * opacity, over: back)
        case .new: return blend(new() * opacity, over: back)
        case .crossDissolve(let progress):
            let share = Float(min(1, max(0, progress)))
            return blend((old() * (1 - share) + new() * share) * opacity, over: back)
        case .shade(let start, let end, let axis):
            let (u, v) = place(x, y, in: layer.frame)
            let share = Float(axis == .horizontal ? u : v)
            let shade = premultiplied(start) * (1 - share) + premultiplied(end) * share
            return blend(shade * opacity * coverage(of: layer.frame, x, y), over: back)
        case .blurredNew:
            return blend(seen(blurredNew, lyingIn: scene.newFrame, layer, x, y) * opacity, over: back)
        case .page: return back
        }
    }

    /// The position of a pixel's centre in `frame`, 0 to 1; for a partly covered pixel it may lie outside.
    private func place(_ x: Int, _ y: Int, in frame: PointRect) -> (Double, Double) {
        let u = ((Double(x) + 0.5) / scene.scale - frame.x) / frame.size.width
        let v = ((Double(y) + 0.5) / scene.scale - frame.y) / frame.size.height
        return (min(1, max(0, u)), min(1, max(0, v)))
    }

    /// The colour of a picture at a pixel, weighted by the pixel's coverage.
    private func seen(
        _ pixels: Pixels?, lyingIn content: PointRect?, _ layer: TransitionLayer, _ x: Int, _ y: Int
    ) -> SIMD4<Float> {
        guard let pixels, let content, let part = layer.source.intersection(content) else { return .zero }
        var left = (part.x - layer.source.x) / layer.source.size.width
        var top = (part.y - layer.source.y) / layer.source.size.height
        let (width, height) = (
            part.size.width / layer.source.size.width, part.size.height / layer.source.size.height
        )
        if layer.isMirroredHorizontally { left = 1 - left - width }
        if layer.isMirroredVertically { top = 1 - top - height }
        let frame = PointRect(
            x: layer.frame.x + left * layer.frame.size.width, y: layer.frame.y + top * layer.frame.size.height,
            width: width * layer.frame.size.width, height: height * layer.frame.size.height)
        let covered = coverage(of: frame, x, y)
        guard covered > 0 else { return .zero }
        var (u, v) = place(x, y, in: frame)
        if layer.isMirroredHorizontally { u = 1 - u }
        if layer.isMirroredVertically { v = 1 - v }
        return covered
            * sample(pixels, in: content, part.x + u * part.size.width, part.y + v * part.size.height)
    }

    private func blend(_ front: SIMD4<Float>, over back: SIMD4<Float>) -> SIMD4<Float> {
        front + back * (1 - front[3] / 255)
    }

    private func premultiplied(_ color: RGBAColor) -> SIMD4<Float> {
        let alpha = Float(color.alpha)
        return SIMD4(
            Float(color.red) * alpha / 255, Float(color.green) * alpha / 255, Float(color.blue) * alpha / 255, alpha)
    }

    /// The share of a pixel within `frame`.
    private func coverage(of frame: PointRect, _ x: Int, _ y: Int) -> Float {
        func share(_ start: Double, _ end: Double, _ pixel: Int) -> Double {
            max(0, min(end * scene.scale, Double(pixel + 1)) - max(start * scene.scale, Double(pixel)))
        }
        return Float(share(frame.x, frame.maxX, x) * share(frame.y, frame.maxY, y))
    }

    /// The colour at a point of the view.
    private func sample(_ pixels: Pixels, in frame: PointRect, _ x: Double, _ y: Double) -> SIMD4<Float> {
        let u = (x - frame.x) / frame.size.width * Double(pixels.size.width) - 0.5
        let v = (y - frame.y) / frame.size.height * Double(pixels.size.height) - 0.5
        let (left, top) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
        let (horizontal, vertical) = (Float(u - Double(left)), Float(v - Double(top)))
        func pixel(_ column: Int, _ row: Int) -> SIMD4<Float> {
            pixels[min(pixels.size.width - 1, max(0, column)), min(pixels.size.height - 1, max(0, row))]
        }
        let upper = pixel(left, top) * (1 - horizontal) + pixel(left + 1, top) * horizontal
        let lower = pixel(left, top + 1) * (1 - horizontal) + pixel(left + 1, top + 1) * horizontal
        return upper * (1 - vertical) + lower * vertical
    }

    // MARK: - Pages

    /// Draws a page in space, from many points of each pixel.
    private func paint(_ page: MovingPage, over result: inout Pixels) {
        let size = PointSize(width: scene.size.width * scene.scale, height: scene.size.height * scene.scale)
        let reference = PageReference(
            motion(page, scene.scale), size: size, page: picture(page.content, result.size),
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
