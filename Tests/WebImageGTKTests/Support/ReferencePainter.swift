import WebImage

/// What the layers of a transition look like, pixel by pixel and as slowly as the definition reads: for each pixel of the
/// view the point of the picture that is seen there, interpolated between its four neighbours.
struct ReferencePainter {
    let scene: TransitionScene
    let old: Pixels?
    let new: Pixels?

    func paint(_ layers: [TransitionLayer]) -> Pixels {
        let size = PixelSize(
            width: Int((scene.size.width * scene.scale).rounded(.up)),
            height: Int((scene.size.height * scene.scale).rounded(.up)))
        var result = Pixels(size)
        for layer in layers {
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
        let center = (x: (Double(x) + 0.5) / scene.scale, y: (Double(y) + 0.5) / scene.scale)
        let seen = Float(coverage(of: layer.frame, x, y) * min(1, max(0, layer.opacity)))
        guard seen > 0 else { return back }
        // The middle of a pixel that is covered in part may lie beside the frame.
        var horizontal = min(1 - 1e-9, max(0, (center.x - layer.frame.x) / layer.frame.size.width))
        var vertical = min(1 - 1e-9, max(0, (center.y - layer.frame.y) / layer.frame.size.height))
        if case .shade(let start, let end, let axis) = layer.content {
            let share = Float(min(1, max(0, axis == .horizontal ? horizontal : vertical)))
            let front = premultiplied(start) * (1 - share) + premultiplied(end) * share
            return front * seen + back * (1 - front[3] / 255 * seen)
        }
        if layer.isMirroredHorizontally { horizontal = 1 - horizontal }
        if layer.isMirroredVertically { vertical = 1 - vertical }
        let u = layer.source.x + horizontal * layer.source.size.width
        let v = layer.source.y + vertical * layer.source.size.height
        switch layer.content {
        case .old: return blend(sample(old, in: scene.oldFrame, u, v) * seen, over: back)
        case .new: return blend(sample(new, in: scene.newFrame, u, v) * seen, over: back)
        case .crossDissolve(let progress):
            let share = Float(min(1, max(0, progress)))
            let mixed =
                sample(old, in: scene.oldFrame, u, v) * (1 - share) + sample(new, in: scene.newFrame, u, v) * share
            return blend(mixed * seen, over: back)
        case .blurredNew, .shade: return back
        }
    }

    private func blend(_ front: SIMD4<Float>, over back: SIMD4<Float>) -> SIMD4<Float> {
        front + back * (1 - front[3] / 255)
    }

    private func premultiplied(_ color: RGBAColor) -> SIMD4<Float> {
        let alpha = Float(color.alpha)
        return SIMD4(
            Float(color.red) * alpha / 255, Float(color.green) * alpha / 255, Float(color.blue) * alpha / 255, alpha)
    }

    /// How much of a pixel lies in `frame`.
    private func coverage(of frame: PointRect, _ x: Int, _ y: Int) -> Double {
        func share(_ start: Double, _ end: Double, _ pixel: Int) -> Double {
            max(0, min(end * scene.scale, Double(pixel + 1)) - max(start * scene.scale, Double(pixel)))
        }
        return share(frame.x, frame.maxX, x) * share(frame.y, frame.maxY, y)
    }

    /// The colour at a point of the view; nothing where the picture does not lie.
    private func sample(_ pixels: Pixels?, in frame: PointRect?, _ x: Double, _ y: Double) -> SIMD4<Float> {
        guard let pixels, let frame, x >= frame.x, x < frame.maxX, y >= frame.y, y < frame.maxY else { return .zero }
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
}
