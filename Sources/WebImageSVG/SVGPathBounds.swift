import Glibc

/// The sides of the bounding box of a path's points and control points; infinite where librsvg may parse the path
/// differently.
struct SVGPathBounds {
    private var (least, most) = (Point(.infinity, .infinity), Point(-.infinity, -.infinity))
    private var place = Point(0, 0)
    private var start = Point(0, 0)
    private var control: Point?
    private var isUnknown = false

    private typealias Point = SIMD2<Double>

    var size: (width: Double, height: Double) {
        if isUnknown { return (.infinity, .infinity) }
        let sides = most - least
        return sides.x >= 0 && sides.y >= 0 ? (sides.x, sides.y) : (0, 0)
    }

    /// - Parameter points: The points of a polygon or polyline.
    init(points: Slice<UnsafeRawBufferPointer>) {
        var numbers = SVGNumbers(points)
        while let x = numbers.next(), let y = numbers.next() { take([Point(x, y)]) }
        finish(numbers)
    }

    init(path: Slice<UnsafeRawBufferPointer>) {
        var numbers = SVGNumbers(path)
        numbers.skipSeparators()
        while let command = numbers.nextByte() {
            guard draw(command, &numbers) else {
                isUnknown = true
                return
            }
            numbers.skipSeparators()
        }
        finish(numbers)
    }

    private mutating func finish(_ numbers: SVGNumbers<Slice<UnsafeRawBufferPointer>>) {
        isUnknown = isUnknown || !numbers.rest.isEmpty || (most - least).x.isNaN || (most - least).y.isNaN
    }

    /// Reads a command with all groups of numbers that follow it.
    private mutating func draw(_ command: UInt8, _ numbers: inout SVGNumbers<Slice<UnsafeRawBufferPointer>>) -> Bool {
        let isRelative = command >= UInt8(ascii: "a")
        let kind = command & 0xDF
        if kind == UInt8(ascii: "Z") {
            (place, control) = (start, nil)
            return true
        }
        var isFirst = true
        while true {
            let origin = isRelative ? place : Point(0, 0)
            guard let isDrawn = drawOne(kind, origin, &numbers) else { return !isFirst }
            guard isDrawn else { return false }
            if isFirst, kind == UInt8(ascii: "M") { start = place }
            isFirst = false
        }
    }

    /// - Returns: nil without a further number; false for damaged data.
    private mutating func drawOne(
        _ kind: UInt8, _ origin: Point, _ numbers: inout SVGNumbers<Slice<UnsafeRawBufferPointer>>
    ) -> Bool? {
        guard let first = numbers.next() else { return nil }
        if kind == UInt8(ascii: "H") || kind == UInt8(ascii: "V") {
            let isAcross = kind == UInt8(ascii: "H")
            take([isAcross ? Point(origin.x + first, place.y) : Point(place.x, origin.y + first)])
            return true
        }
        if kind == UInt8(ascii: "A") { return drawArc(first, origin, &numbers) }
        guard let count = Self.pointCounts[kind], let y = numbers.next() else { return false }
        var points = [origin + Point(first, y)]
        for _ in 1..<max(1, count) {
            guard let x = numbers.next(), let y = numbers.next() else { return false }
            points.append(origin + Point(x, y))
        }
        drawCurve(kind, points)
        return true
    }

    private static let pointCounts: [UInt8: Int] = [
        UInt8(ascii: "M"): 1, UInt8(ascii: "L"): 1, UInt8(ascii: "T"): 1, UInt8(ascii: "C"): 3, UInt8(ascii: "S"): 2,
        UInt8(ascii: "Q"): 2,
    ]

    private mutating func drawCurve(_ kind: UInt8, _ points: [Point]) {
        var points = points
        // Regardless of the command before: at worst this enlarges the box.
        let mirrored = control.map { place + place - $0 } ?? place
        if kind == UInt8(ascii: "T") || kind == UInt8(ascii: "S") { points.insert(mirrored, at: 0) }
        take(points)
        let isCurve = kind != UInt8(ascii: "M") && kind != UInt8(ascii: "L")
        control = isCurve && points.count > 1 ? points[points.count - 2] : nil
    }

    /// Its flags need no separator before the next number.
    private mutating func drawArc(
        _ radius: Double, _ origin: Point, _ numbers: inout SVGNumbers<Slice<UnsafeRawBufferPointer>>
    ) -> Bool {
        guard let other = numbers.next(), numbers.next() != nil else { return false }
        for _ in 0..<2 {
            numbers.skipSeparators()
            guard let flag = numbers.nextByte(), flag == UInt8(ascii: "0") || flag == UInt8(ascii: "1") else {
                return false
            }
        }
        guard let x = numbers.next(), let y = numbers.next() else { return false }
        let end = origin + Point(x, y)
        let (longer, shorter) = (max(abs(radius), abs(other)), min(abs(radius), abs(other)))
        let distance = hypot(end.x - place.x, end.y - place.y)
        // Radii that are too small for the distance between the points are scaled up.
        let reach = shorter > 0 ? 2 * longer * max(1, distance / (2 * shorter)) : 0
        let margin = Point(reach, reach)
        take([place - margin, place + margin, end])
        return true
    }

    /// The last point is the start of the next command.
    private mutating func take(_ points: [Point]) {
        for point in points {
            least = pointwiseMin(least, point)
            most = pointwiseMax(most, point)
        }
        if let last = points.last { place = last }
        control = nil
    }
}
