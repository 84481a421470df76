import Glibc

/// Shading of an opaque page; all results are 0 to 1.
extension PageCurl {
    /// The whiteness of the page's back.
    static let paleness = 0.6
    /// The darkness where the page bends up, where it overhangs, and below it.
    private static let bendDarkness = 0.4
    private static let edgeDarkness = 0.35
    private static let shadowDarkness = 0.35

    /// The darkness of the front at a place before the crest.
    func frontDarkness(at place: Double) -> Double { Self.bendDarkness * max(0, (place - fold) / radius) }

    /// The darkness of the back at a place before the crest.
    func backDarkness(at place: Double) -> Double {
        let sine = max(0, (place - fold) / radius)
        return Self.edgeDarkness * (1 - max(0, 1 - sine * sine).squareRoot())
    }

    /// The darkness of the shadow that the loose end casts on the front.
    ///
    /// - Parameter end: The last position on the page in this direction.
    func shadowOnFront(at place: Double, end: Double) -> Double {
        let overlap = (end - fold) / radius - .pi
        guard overlap > 0 else { return 0 }
        let gap = 2 * fold + .pi * radius - end - place
        return Self.shadowDarkness * min(1, overlap) * max(0, 1 - max(0, gap) / shadowLength)
    }

    /// The darkness of the page's shadow on what lies below.
    ///
    /// - Parameters:
    ///   - start: The first position on the page in this direction.
    ///   - end: The last one.
    func shadowBelow(at place: Double, start: Double, end: Double) -> Double {
        let lift = (end - fold) / radius
        // Only the page's back is left, and it leaves the view.
        let rest = (fold - start) / radius + .pi / 2
        guard lift > 0, rest > 0 else { return 0 }
        let edge = lift < .pi / 2 ? fold + radius * sin(lift) : crest
        let gap = max(0, place - edge)
        return Self.shadowDarkness * min(1, lift) * min(1, rest) * max(0, 1 - gap / shadowLength)
    }
}
