import WebImage

extension TransitionLayer {
    /// The part of the layer that is visible within `area`; nil for none, and where a number is not finite.
    nonisolated func seen(in area: PointRect) -> TransitionLayer? {
        guard opacity > 0, frame.isDrawable, source.isDrawable, let part = frame.intersection(area) else { return nil }
        return frame.isWithinReach ? self : cropped(to: part)
    }

    /// The layer cropped to a part of its frame.
    private nonisolated func cropped(to part: PointRect) -> TransitionLayer {
        let unmirrored = part.mirrored(
            in: frame, horizontally: isMirroredHorizontally, vertically: isMirroredVertically)
        var layer = self
        layer.frame = part
        layer.source = RectMap(frame, to: source)(unmirrored)
        if case .shade(let start, let end, let axis) = content {
            let (whole, rest) =
                axis == .horizontal
                ? (frame.x...frame.maxX, part.x...part.maxX)
                : (frame.y...frame.maxY, part.y...part.maxY)
            func color(at place: Double) -> RGBAColor {
                start.mixed(with: end, (place - whole.lowerBound) / (whole.upperBound - whole.lowerBound))
            }
            layer.content = .shade(from: color(at: rest.lowerBound), to: color(at: rest.upperBound), axis: axis)
        }
        return layer
    }
}

extension PointRect {
    /// The coordinate, in points, beyond which the 24-bit numbers of renderers are too coarse for pixels.
    private nonisolated static let reach = 100_000.0

    nonisolated var isWithinReach: Bool { min(x, y) >= -Self.reach && max(maxX, maxY) <= Self.reach }

    /// The side, in points, below which nothing is visible. Cairo divides by the side and stops drawing altogether.
    private nonisolated static let smallestSide = 1e-3

    nonisolated var isDrawable: Bool {
        min(size.width, size.height) >= Self.smallestSide && (x + y + maxX + maxY).isFinite
    }
}

extension RGBAColor {
    fileprivate nonisolated func mixed(with other: RGBAColor, _ share: Double) -> RGBAColor {
        func mix(_ channel: KeyPath<RGBAColor, UInt8>) -> UInt8 {
            let (start, end) = (Double(self[keyPath: channel]), Double(other[keyPath: channel]))
            return UInt8((start + (end - start) * min(1, max(0, share))).rounded())
        }
        return RGBAColor(red: mix(\.red), green: mix(\.green), blue: mix(\.blue), alpha: mix(\.alpha))
    }
}
