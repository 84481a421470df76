/// The pixels of a page that rolls up.
///
/// In each row, the content behind the page and the flat front of the page lie at rest, in the page's shadows; the
/// page's back, and the part of the page that bends, are drawn over them.
struct CurlRows {
    private let curl: PageCurl
    private let page: PagePicture?
    private let ground: PagePicture?

    /// - Parameters:
    ///   - curl: In device pixels.
    ///   - page: The picture on the page; nil for none.
    ///   - ground: The picture behind it; nil for none.
    init(_ curl: PageCurl, page: PagePicture?, ground: PagePicture?) {
        self.curl = curl
        self.page = page
        self.ground = ground
    }

    func draw(into canvas: PageCanvas) {
        CurlRoll.with(curl, page) { roll in
            for number in canvas.y {
                let row = CurlRow(number, columns: canvas.x, of: curl)
                drawAtRest(row, into: canvas)
                roll.draw(row, into: canvas)
            }
        }
    }

    private func drawAtRest(_ row: CurlRow, into canvas: PageCanvas) {
        let front = row.columns(above: -.infinity, upTo: curl.firstBend)
        let rest = row.columns(above: curl.firstBend, upTo: .infinity)
        canvas.copy(page, to: front, row: row.number)
        canvas.copy(ground, to: rest, row: row.number)
        if page?.isShaded == true { canvas.cast(curl.shadowOnFront(in: row), on: front, row: row.number) }
        if ground?.isShaded == true { canvas.cast(curl.shadowBelow(in: row), on: rest, row: row.number) }
    }
}
