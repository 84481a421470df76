import WebImageCore
import WebImagePresentation

/// The content of one layer at one point of a view.
struct SeenContent: Equatable {
    let content: TransitionLayer.Content
    /// The point of the content at rest that is visible there.
    let x: Double
    let y: Double
    let opacity: Double
    let layer: TransitionLayer
}

extension TransitionLayer {
    /// The layer's content at a point; nil for none. Frames exclude their right and lower edges.
    func content(atX x: Double, y: Double) -> SeenContent? {
        guard x >= frame.x, x < frame.maxX, y >= frame.y, y < frame.maxY else { return nil }
        let horizontal = (x - frame.x) / frame.size.width
        let vertical = (y - frame.y) / frame.size.height
        return SeenContent(
            content: content,
            x: source.x + source.size.width * (isMirroredHorizontally ? 1 - horizontal : horizontal),
            y: source.y + source.size.height * (isMirroredVertically ? 1 - vertical : vertical), opacity: opacity,
            layer: self)
    }

    /// Whether it is a part of a picture, and not shading.
    var isPicture: Bool {
        if case .shade = content { return false }
        return true
    }
}

extension [TransitionLayer] {
    /// The pictures at a point, from back to front, within the scene's frames.
    func pictures(atX x: Double, y: Double, in scene: TransitionScene) -> [SeenContent] {
        compactMap { layer in
            guard layer.isPicture, let seen = layer.content(atX: x, y: y) else { return nil }
            return scene.rest(of: layer.content).contains { $0.hasPoint(x: seen.x, y: seen.y) } ? seen : nil
        }
    }

    /// The pages at a point, from back to front: pictures, and the empty areas around them.
    func pages(atX x: Double, y: Double) -> [SeenContent] {
        compactMap { $0.isPicture ? $0.content(atX: x, y: y) : nil }
    }

    var pictures: [TransitionLayer] { filter(\.isPicture) }
    var shades: [TransitionLayer] { filter { !$0.isPicture } }
}

extension TransitionScene {
    /// The frame of a content.
    func rest(of content: TransitionLayer.Content) -> [PointRect] {
        switch content {
        case .old: [oldFrame].compactMap(\.self)
        case .new, .blurredNew: [newFrame].compactMap(\.self)
        case .crossDissolve: [oldFrame, newFrame].compactMap(\.self)
        case .page: [oldFrame, newFrame].compactMap(\.self)
        case .shade: []
        }
    }

    /// The centres of some device pixels, all over the view.
    func samples(columns: Int = 23, rows: Int = 19) -> [(x: Double, y: Double)] {
        let pixels = (width: Int(size.width * scale), height: Int(size.height * scale))
        return (0..<rows).flatMap { row in
            (0..<columns).map { column in
                let x = (2 * column + 1) * pixels.width / (2 * columns)
                let y = (2 * row + 1) * pixels.height / (2 * rows)
                return ((Double(x) + 0.5) / scale, (Double(y) + 0.5) / scale)
            }
        }
    }
}

extension PointRect {
    func hasPoint(x: Double, y: Double) -> Bool {
        x >= self.x && x < maxX && y >= self.y && y < maxY
    }
}

extension TransitionLayer {
    /// The layer in a mirrored view.
    func mirrored(_ axis: Axis, in size: PointSize) -> TransitionLayer {
        func mirror(_ rect: PointRect) -> PointRect {
            axis == .horizontal
                ? PointRect(x: size.width - rect.maxX, y: rect.y, size: rect.size)
                : PointRect(x: rect.x, y: size.height - rect.maxY, size: rect.size)
        }
        var layer = self
        layer.source = mirror(source)
        layer.frame = mirror(frame)
        if case .shade(let from, let to, axis) = content { layer.content = .shade(from: to, to: from, axis: axis) }
        return layer
    }

    /// The layer in a view with swapped axes.
    var transposed: TransitionLayer {
        func transpose(_ rect: PointRect) -> PointRect {
            PointRect(x: rect.y, y: rect.x, width: rect.size.height, height: rect.size.width)
        }
        var layer = self
        layer.source = transpose(source)
        layer.frame = transpose(frame)
        layer.isMirroredHorizontally = isMirroredVertically
        layer.isMirroredVertically = isMirroredHorizontally
        if case .shade(let from, let to, let axis) = content {
            layer.content = .shade(from: from, to: to, axis: axis == .horizontal ? .vertical : .horizontal)
        }
        return layer
    }

    /// Whether the other layer is the same, except for rounding errors.
    func isSame(as other: TransitionLayer) -> Bool {
        func isNear(_ a: PointRect, _ b: PointRect) -> Bool {
            max(abs(a.x - b.x), abs(a.y - b.y), abs(a.maxX - b.maxX), abs(a.maxY - b.maxY)) < 1e-9
        }
        return content == other.content && opacity == other.opacity && isNear(source, other.source)
            && isNear(frame, other.frame) && isMirroredHorizontally == other.isMirroredHorizontally
            && isMirroredVertically == other.isMirroredVertically
    }
}
