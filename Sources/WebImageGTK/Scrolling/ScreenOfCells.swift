import CGtk4

/// The number of a list's cells that count as one screen.
///
/// The number of visible cells goes up and down by one with each step of a wheel. If distances followed it, loads at the
/// edge of the window would be begun, cancelled and begun again while a list moves one way.
final class ScreenOfCells {
    private var count = 1

    private static let key = "webimage-screen-of-cells"

    static func of(_ list: UnsafeMutablePointer<GtkWidget>) -> ScreenOfCells {
        AssociatedObject.of(key, on: list) { ScreenOfCells() }
    }

    /// - Parameter seen: The number of cells that are visible now.
    /// - Returns: The most that were visible, until less than half of them are: then rows are higher, or the list is
    ///   smaller.
    func note(_ seen: Int) -> Int {
        if seen > count || 2 * seen < count { count = seen }
        return count
    }
}
