import WebImageCore

/// A row of pixels of a page that rolls up.
struct CurlRow {
    let number: Int
    let columns: Range<Int>
    /// The place of each pixel.
    let place: Ramp
    /// The last position on the page in the curl's direction from each pixel, as if the page ended at its side only, and
    /// as if it ended at its lower edge only.
    let sideEnd: Ramp
    let lowerEnd: Ramp
    private let curl: PageCurl

    init(_ number: Int, columns: Range<Int>, of curl: PageCurl) {
        let (direction, bounds, y) = (curl.direction, curl.bounds, Double(number) + 0.5)
        self.number = number
        self.columns = columns
        self.curl = curl
        place = Ramp(start: curl.place(ofX: 0.5, y: y), step: direction.x)
        lowerEnd = place + (bounds.maxY - y) / direction.y
        let side = direction.x < 0 ? bounds.x : bounds.maxX
        sideEnd =
            direction.x == 0
            ? Ramp(start: .greatestFiniteMagnitude)
            : place + Ramp(start: (side - 0.5) / direction.x, step: -1 / direction.x)
    }

    /// The columns whose place is above a limit, up to another one.
    func columns(above low: Double, upTo high: Double) -> Range<Int> {
        place.columns(above: low, upTo: high, in: columns)
    }

    /// The columns within some where the back of the page may be seen, if it is flat there.
    func columnsOfBack(in columns: Range<Int>) -> Range<Int> {
        let (bounds, way) = (curl.bounds, place * -2 + curl.looseEnd)
        let x = way * curl.direction.x + Ramp(start: 0.5, step: 1)
        let y = way * curl.direction.y + (Double(number) + 0.5)
        return x.columns(
            above: bounds.x - 1, upTo: bounds.maxX + 1,
            in: y.columns(above: bounds.y - 1, upTo: bounds.maxY + 1, in: columns))
    }
}
