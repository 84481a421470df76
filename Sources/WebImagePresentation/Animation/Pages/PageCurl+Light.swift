/// Shading of an opaque page; all results are 0 to 1.
extension PageCurl {
    /// The whiteness of the page's back.
    static let paleness = 0.6
    /// The darkness where the page bends up, where it overhangs, and in its shadow.
    private static let bendDarkness = 0.4
    private static let edgeDarkness = 0.35
    private static let shadowDarkness = 0.35

    /// The brightness of the front at a place before the crest.
    func frontLight(at place: Double) -> Double { 1 - Self.bendDarkness * sine(at: place) }

    /// The brightness of the back at a place before the crest.
    func backLight(at place: Double) -> Double {
        let sine = sine(at: place)
        return 1 - Self.edgeDarkness * (1 - (1 - sine * sine).squareRoot())
    }

    private func sine(at place: Double) -> Double { min(1, max(0, (place - fold) / radius)) }

    /// The shadow that the loose end casts on the front.
    func shadowOnFront(in row: CurlRow) -> PageShadow {
        func overlap(_ end: Ramp) -> Ramp { (end - fold) / radius - .pi }
        func nearness(_ end: Ramp) -> Ramp { (end + row.place - looseEnd) / shadowLength + 1 }
        return PageShadow(
            darkness: Self.shadowDarkness,
            ramps: (overlap(row.sideEnd), overlap(row.lowerEnd), nearness(row.sideEnd), nearness(row.lowerEnd)))
    }

    /// The page's shadow on what lies below.
    func shadowBelow(in row: CurlRow) -> PageShadow {
        func lift(_ end: Ramp) -> Ramp { (end - fold) / radius }
        let nearness = (row.place - crest) / -shadowLength + 1
        return PageShadow(
            darkness: Self.shadowDarkness, ramps: (lift(row.sideEnd), lift(row.lowerEnd), nearness, Ramp(start: 1)))
    }
}
