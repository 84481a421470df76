/// The speed of a pointer, from its last movements.
struct PointerSpeed {
    private var points: [(time: Double, x: Double, y: Double)] = []
    /// Movements that are older say nothing about the speed, in seconds.
    private static let memory = 0.1

    /// - Parameter time: In seconds.
    mutating func note(_ x: Double, _ y: Double, at time: Double) {
        points.append((time, x, y))
        points.removeAll { $0.time < time - Self.memory }
    }

    /// In points a second.
    var value: (x: Double, y: Double) {
        guard let first = points.first, let last = points.last, last.time > first.time else { return (0, 0) }
        let time = last.time - first.time
        return ((last.x - first.x) / time, (last.y - first.y) / time)
    }
}
