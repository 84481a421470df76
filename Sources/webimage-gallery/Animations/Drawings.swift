import Glibc
import WebImage

/// The animations that the program draws.
nonisolated extension DrawnAnimation {
    /// A row of each format, twice.
    static let all = [
        DrawnAnimation(
            name: "Pendulum", format: .gif, frameCount: 24, duration: .milliseconds(60), drawing: Drawings.pendulum),
        DrawnAnimation(
            name: "Orbit", format: .png, frameCount: 30, duration: .milliseconds(40), drawing: Drawings.orbit),
        DrawnAnimation(
            name: "Waves", format: .webP, frameCount: 24, duration: .milliseconds(50), drawing: Drawings.waves),
        DrawnAnimation(
            name: "Dial", format: .gif, frameCount: 12, duration: .milliseconds(250), drawing: Drawings.dial),
        DrawnAnimation(
            name: "Bars", format: .png, frameCount: 24, duration: .milliseconds(50), drawing: Drawings.bars),
        DrawnAnimation(
            name: "Rings", format: .webP, frameCount: 30, duration: .milliseconds(33), drawing: Drawings.rings),
    ]
}

/// The drawings of the animations. Each ends as it begins.
private nonisolated enum Drawings {
    private static let night = Ink(0.10, 0.12, 0.17)
    private static let blue = Ink(0.35, 0.66, 1)
    private static let amber = Ink(0.94, 0.69, 0.31)
    private static let green = Ink(0.37, 0.82, 0.55)

    /// The share of a pixel within a distance of an edge, which is soft.
    private static func cover(_ distance: Float) -> Float { 0.5 - distance * 90 }

    private static func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

    /// A point on a circle; a turn is 1, from the top.
    private static func direction(_ turn: Float) -> SIMD2<Float> {
        SIMD2(sin(turn * 2 * .pi), -cos(turn * 2 * .pi))
    }

    /// The distance to a line from `start` to `end`.
    private static func distance(_ point: SIMD2<Float>, _ start: SIMD2<Float>, _ end: SIMD2<Float>) -> Float {
        let (along, line) = (point - start, end - start)
        let share = min(1, max(0, (along * line).sum() / (line * line).sum()))
        return length(along - line * share)
    }

    static func pendulum(_ point: SIMD2<Float>, _ time: Float) -> Ink {
        let start = SIMD2<Float>(0, -0.6)
        let weight = start - direction(0.11 * sin(time * 2 * .pi)) * SIMD2(1, 1)
        return night.under(blue, cover(distance(point, start, weight) - 0.012))
            .under(amber, cover(length(point - weight) - 0.15))
    }

    /// On a transparent ground.
    static func orbit(_ point: SIMD2<Float>, _ time: Float) -> Ink {
        var ink = Ink.none.under(amber, cover(length(point) - 0.2))
        for (number, radius) in [Float(0.36), 0.5, 0.64].enumerated() {
            let planet = direction(time * Float(3 - number)) * radius
            ink = ink.under(Ink(1, 1, 1, opacity: 0.25), cover(abs(length(point) - radius) - 0.006))
                .under(number == 1 ? green : blue, cover(length(point - planet) - 0.06))
        }
        return ink
    }

    static func waves(_ point: SIMD2<Float>, _ time: Float) -> Ink {
        var ink = night.under(amber, cover(length(point - SIMD2(0.5, -0.35)) - 0.16))
        for number in 0..<4 {
            let depth = Float(number)
            let phase = (time * (number % 2 == 0 ? 1 : -1) + depth * 0.3) * 2 * .pi
            let level = -0.2 + depth * 0.22 + 0.08 * sin(point.x * (5 - depth * 0.5) + phase)
            ink = ink.under(Ink(0.1 + 0.04 * depth, 0.3 + 0.07 * depth, 0.55 + 0.1 * depth), cover(level - point.y))
        }
        return ink
    }

    static func dial(_ point: SIMD2<Float>, _ time: Float) -> Ink {
        var ink = night.under(Ink(0.92, 0.94, 0.96), cover(length(point) - 0.62))
        for hour in 0..<12 {
            let mark = direction(Float(hour) / 12)
            ink = ink.under(night, cover(distance(point, mark * 0.5, mark * 0.57) - 0.015))
        }
        return ink.under(blue, cover(distance(point, .zero, direction(time) * 0.46) - 0.025))
            .under(amber, cover(length(point) - 0.06))
    }

    static func bars(_ point: SIMD2<Float>, _ time: Float) -> Ink {
        let column = ((point.x + 1) * 4).rounded(.down)
        let middle = (column + 0.5) / 4 - 1
        let height = 0.12 + 0.4 * (1 + sin((time + column * 0.13) * 2 * .pi)) * 0.5 + 0.05 * column / 8
        let edge = max(abs(point.x - middle) - 0.085, abs(point.y) - height)
        return night.under(column.truncatingRemainder(dividingBy: 2) == 0 ? green : blue, cover(edge))
    }

    static func rings(_ point: SIMD2<Float>, _ time: Float) -> Ink {
        let wave = sin((length(point) * 4 - time) * 2 * .pi)
        return Ink(0.16, 0.10, 0.28).under(Ink(0.95, 0.36, 0.52), (wave + 0.2) * 4).under(night, length(point) - 0.5)
    }
}
