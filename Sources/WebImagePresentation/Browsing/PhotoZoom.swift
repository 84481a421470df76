import WebImageCore

/// The place of one picture in the view of its page: a factor, and the picture's top left corner.
///
/// A picture that is smaller than the view along an axis is centred there; one that is larger has no gap at either edge.
package struct PhotoZoom: Sendable, Equatable {
    package let picture: PointSize
    package let view: PointSize
    package let limits: ZoomLimits
    package private(set) var scale: Double
    /// The picture's corner, in the coordinates of the view.
    private var x = 0.0
    private var y = 0.0

    /// The picture at its initial factor: long ones at their top, others with their middle in the middle.
    package init(of picture: PointSize, in view: PointSize, isFixed: Bool = false, rules: ZoomLimits.Rules = .init()) {
        self.picture = picture
        self.view = view
        limits = ZoomLimits(of: picture, in: view, isFixed: isFixed, rules: rules)
        scale = limits.initial
        x = (view.width - size.width) / 2
        y = LongPicture(picture, ratio: rules.longPictureRatio) == .vertical ? 0 : (view.height - size.height) / 2
        settle()
    }

    /// The size on the screen.
    package var size: PointSize { PointSize(width: picture.width * scale, height: picture.height * scale) }

    /// The place of the picture in the view.
    package var frame: PointRect { PointRect(x: x, y: y, size: size) }

    /// Whether the person has zoomed: larger than the minimum, and not at the initial factor.
    package var isZoomed: Bool { scale > limits.minimum * (1 + Self.tolerance) && !isInitial }
    /// Factors that differ by less than this part differ by rounding only.
    private static let tolerance = 1e-4
    private var isInitial: Bool { abs(scale - limits.initial) <= limits.initial * Self.tolerance }

    package var overflowsAcross: Bool { size.width > view.width + 0.5 }
    package var overflowsDown: Bool { size.height > view.height + 0.5 }

    /// Whether there is more of the picture in the direction that a finger moves away from.
    package func canMove(byX distance: Double) -> Bool {
        overflowsAcross && (distance > 0 ? x < -0.5 : x + size.width > view.width + 0.5)
    }

    package func canMove(byY distance: Double) -> Bool {
        overflowsDown && (distance > 0 ? y < -0.5 : y + size.height > view.height + 0.5)
    }

    /// Zooms so that the point of the picture at (`x`, `y`) of the view stays there, as far as the limits allow.
    package mutating func zoom(to scale: Double, atX x: Double, y: Double) {
        place(at: limits.clamped(scale), aroundX: x, y: y)
        settle()
    }

    /// As ``zoom(to:atX:y:)``, but goes somewhat beyond the limits, as fingers may.
    package mutating func pinch(to scale: Double, atX x: Double, y: Double) {
        guard limits.maximum > 0 else { return }
        let clamped = limits.clamped(scale)
        place(at: clamped * (scale / clamped).squareRoot(), aroundX: x, y: y)
    }

    /// Zooms out where the picture is zoomed; otherwise to the middle of the limits, around a point of the view.
    package func toggled(atX x: Double, y: Double) -> PhotoZoom {
        var other = self
        let isMinimum = abs(scale - limits.minimum) <= limits.minimum * Self.tolerance
        other.zoom(to: !isMinimum && !isInitial ? limits.minimum : (limits.minimum + limits.maximum) / 2, atX: x, y: y)
        return other
    }

    /// Moves the picture, not beyond its edges.
    package mutating func pan(byX x: Double, y: Double) {
        self.x += x
        self.y += y
        settle()
    }

    /// Moves the picture as a finger does: beyond its edges it follows by a part only.
    package mutating func drag(byX x: Double, y: Double) {
        self.x = Self.dragged(self.x, by: x, length: size.width, room: view.width)
        self.y = Self.dragged(self.y, by: y, length: size.height, room: view.height)
    }

    /// The place that the picture springs back to after fingers have let it go.
    package var settled: PhotoZoom {
        var other = self
        other.zoom(to: scale, atX: view.width / 2, y: view.height / 2)
        return other
    }

    /// The picture in a view of another size: at its initial factor where it was at that, otherwise around the same point.
    package func resized(to view: PointSize, rules: ZoomLimits.Rules) -> PhotoZoom {
        var other = PhotoZoom(of: picture, in: view, isFixed: limits.minimum == limits.maximum, rules: rules)
        // At its initial factor it begins anew, unless the person has moved down from its top.
        guard limits.maximum > 0, size.width > 0, size.height > 0, !isInitial || y < 0 else { return other }
        let middle = (x: (self.view.width / 2 - x) / scale, y: (self.view.height / 2 - y) / scale)
        if !isInitial { other.scale = other.limits.clamped(scale) }
        other.x = view.width / 2 - middle.x * other.scale
        other.y = view.height / 2 - middle.y * other.scale
        other.settle()
        return other
    }

    /// Between this place and another one of the same picture.
    package func moved(to other: PhotoZoom, by progress: Double) -> PhotoZoom {
        var between = other
        between.scale = scale.mixed(with: other.scale, progress)
        between.x = x.mixed(with: other.x, progress)
        between.y = y.mixed(with: other.y, progress)
        return between
    }

    private mutating func place(at scale: Double, aroundX x: Double, y: Double) {
        guard self.scale > 0 else { return }
        self.x = x - (x - self.x) / self.scale * scale
        self.y = y - (y - self.y) / self.scale * scale
        self.scale = scale
    }

    private mutating func settle() {
        x = Self.settled(x, length: size.width, room: view.width)
        y = Self.settled(y, length: size.height, room: view.height)
    }

    private static func settled(_ position: Double, length: Double, room: Double) -> Double {
        length <= room ? (room - length) / 2 : max(room - length, min(0, position))
    }

    private static func dragged(_ position: Double, by distance: Double, length: Double, room: Double) -> Double {
        guard length > room else { return settled(position, length: length, room: room) }
        return position.dragged(by: distance, within: room - length...0)
    }
}

extension Double {
    /// The value between this one (at 0) and another one (at 1).
    package func mixed(with other: Double, _ progress: Double) -> Double { self + (other - self) * progress }

    /// The value moved by a finger: beyond a range it follows by half of the way.
    func dragged(by distance: Double, within range: ClosedRange<Double>) -> Double {
        guard range.contains(self) else { return self + distance / 2 }
        let wanted = self + distance
        let limited = min(max(wanted, range.lowerBound), range.upperBound)
        return limited + (wanted - limited) / 2
    }
}
