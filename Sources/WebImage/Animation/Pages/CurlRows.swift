import CPixels

/// The rows of a page that rolls up.
struct CurlRows: PageRows {
    private let curl: PageCurl
    private let pagePicture: PagePicture?
    private let ground: PagePicture?
    private let page: PageEdges
    /// The edges of the picture on the page.
    private let picture: PageEdges
    private let isPageShaded: Bool
    private let isGroundShaded: Bool
    private let boxes = PageBoxes()
    private let bends: [Bend]

    /// - Parameters:
    ///   - curl: In device pixels.
    ///   - page: The picture on the page; nil for none.
    ///   - ground: The picture behind it; nil for none.
    init(_ curl: PageCurl, page: PagePicture?, ground: PagePicture?) {
        self.curl = curl
        pagePicture = page
        self.ground = ground
        self.page = PageEdges(curl.bounds)
        picture = PageEdges(of: page?.frame ?? curl.bounds, on: curl.bounds)
        isPageShaded = page?.isShaded ?? false
        isGroundShaded = ground?.isShaded ?? false
        let count = Int(min(1e5, curl.radius * Self.bendsPerPixel)) + 2
        let boxes = boxes
        bends = (0..<count).map { Bend(curl, at: curl.fold + (Double($0) + 0.5) / Self.bendsPerPixel, boxes) }
    }

    func draw(x: Range<Int>, y: Range<Int>, into rows: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) {
        withUnsafeTemporaryAllocation(of: webimage_sample.self, capacity: PageRow.samplesPerColumn * x.count) { storage in
            var row = PageRow(page: pagePicture, ground: ground, columns: x, storage: storage)
            for line in y { draw(line, columns: x, &row, rows + (line - y.lowerBound) * bytesPerRow) }
        }
    }

    private func draw(_ y: Int, columns: Range<Int>, _ row: inout PageRow, _ pixels: UnsafeMutablePointer<UInt8>) {
        let middle = Double(y) + 0.5
        let bent = columnsOfBend(y, columns)
        let isGroundLeft = curl.direction.x < 0
        let flat = isGroundLeft ? bent.upperBound..<columns.upperBound : columns.lowerBound..<bent.lowerBound
        let far = isGroundLeft ? columns.lowerBound..<bent.lowerBound : bent.upperBound..<columns.upperBound
        pagePicture?.copy(flat, row: y, to: pixels + (flat.lowerBound - columns.lowerBound) * 4)
        ground?.copy(far, row: y, to: pixels + (far.lowerBound - columns.lowerBound) * 4)
        let backs = columnsOfBack(middle, bent)
        for part in [bent.lowerBound..<backs.lowerBound, backs.upperBound..<bent.upperBound] {
            for column in part {
                let x = Double(column) + 0.5
                add(Pixel(column: column, x: x, y: middle, place: curl.place(ofX: x, y: middle)), to: &row)
            }
        }
        row.write(to: pixels)
        guard !backs.isEmpty else { return }
        let x = Double(backs.lowerBound) + 0.5
        let way = 2 * (curl.fold - curl.place(ofX: x, y: middle)) + .pi * curl.radius
        let unbent = bends[0]
        var back = backSample(1, unbent)
        if isPageShaded { (back.white, back.light) = (PageCurl.paleness, 1 - PageCurl.paleness) }
        (back.x, back.y) = (x + curl.direction.x * way, middle + curl.direction.y * way)
        row.addPages(
            back, stepX: 1 - 2 * curl.direction.x * curl.direction.x,
            stepY: -2 * curl.direction.x * curl.direction.y, to: backs, pixels)
    }
}

extension CurlRows {
    private struct Pixel {
        let column: Int
        let x: Double
        let y: Double
        let place: Double
    }

    private static let bendsPerPixel = 4.0

    /// What a place of the bent part needs; computed once for each quarter of a pixel.
    private struct Bend {
        let place: Double
        let front: Double
        let stretch: Double
        let frontDarkness: Double
        let backDarkness: Double
        /// The page's length that a pixel shows, horizontally and vertically.
        let width: Double
        let height: Double
        let across: UnsafePointer<webimage_boxes>
        let down: UnsafePointer<webimage_boxes>

        init(_ curl: PageCurl, at place: Double, _ boxes: PageBoxes) {
            // At the very crest, a pixel shows the page from half a pixel before it.
            let place = min(place, max(curl.fold, curl.crest - 0.125))
            self.place = place
            front = curl.front(at: place)
            frontDarkness = curl.frontDarkness(at: place)
            backDarkness = curl.backDarkness(at: place)
            stretch = curl.stretch(at: place)
            let (x, y) = (curl.direction.x, curl.direction.y)
            width = (1 + x * x * (stretch * stretch - 1)).squareRoot()
            height = (1 + y * y * (stretch * stretch - 1)).squareRoot()
            across = boxes[width]
            down = boxes[height]
        }
    }

    /// The columns in a row where more than one content at rest shows.
    private func columnsOfBend(_ y: Int, _ columns: Range<Int>) -> Range<Int> {
        let (middle, x) = (Double(y) + 0.5, curl.direction.x)
        let (near, far) = (curl.nearestBend, curl.crest + curl.shadowLength + 1)
        let start = curl.place(ofX: 0, y: middle)
        guard abs(x) > 1e-9 else {
            if start < near { return columns.upperBound..<columns.upperBound }
            return start > far ? columns.lowerBound..<columns.lowerBound : columns
        }
        let (fold, last) = ((curl.fold - 1 - start) / x, (far - start) / x)
        // The page's back, and its shadow, begin where its lower edge is seen.
        let edge = curl.backEdge(inRow: middle, start: start)
        let first = x > 0 ? min(fold, max((near - start) / x, edge)) : max(fold, min((near - start) / x, edge))
        func column(_ place: Double) -> Int {
            Int(min(Double(columns.upperBound), max(Double(columns.lowerBound), place)))
        }
        return column(min(first, last).rounded(.down))..<column(max(first, last).rounded(.up))
    }

    /// The columns within some where nothing but the flat back of the page, and its picture, shows.
    private func columnsOfBack(_ y: Double, _ columns: Range<Int>) -> Range<Int> {
        let (x, down) = (curl.direction.x, curl.direction.y)
        let start = curl.place(ofX: 0, y: y)
        let way = 2 * (curl.fold - start) + .pi * curl.radius
        var (first, last) = (Double(columns.lowerBound), Double(columns.upperBound))
        /// Leaves where `value` + `slope` · column is between two limits.
        func limit(_ value: Double, _ slope: Double, _ lowest: Double, _ highest: Double) {
            guard abs(slope) > 1e-9 else {
                if value < lowest || value > highest { last = first }
                return
            }
            let (one, other) = ((lowest - value) / slope, (highest - value) / slope)
            (first, last) = (max(first, min(one, other)), min(last, max(one, other)))
        }
        limit(start, x, -1e9, curl.fold)
        limit(x * way, 1 - 2 * x * x, max(page.left, picture.left) + 1, min(page.right, picture.right) - 1)
        limit(y + down * way, -2 * x * down, max(page.top, picture.top) + 1, min(page.bottom, picture.bottom) - 1)
        // The limits are for the middles of pixels.
        let (left, right) = ((first + 0.5).rounded(.up), (last - 0.5).rounded(.down))
        guard right > left else { return columns.upperBound..<columns.upperBound }
        return Int(left)..<Int(right)
    }

    @inline(__always)
    private func add(_ pixel: Pixel, to row: inout PageRow) {
        let place = pixel.place
        let end = curl.end(fromX: pixel.x, y: pixel.y, at: place)
        let reached = min(1, max(0, curl.crest - place + 0.5))
        var rest = 1.0
        if reached > 0 {
            let bend = bends[bendIndex(place)]
            let front = place <= curl.fold ? place : bend.front + (place - bend.place) * bend.stretch
            let back = 2 * curl.fold + .pi * curl.radius - front
            rest -= addFace(pixel, position: back, bend, share: reached, row: &row) { weight in
                backSample(weight, bend)
            }
            if rest > 0 {
                rest -= addFace(pixel, position: front, bend, share: min(rest, reached), row: &row) { weight in
                    frontSample(weight, bend, shadow: curl.shadowOnFront(at: place, end: end))
                }
            }
        }
        guard rest > 1e-4 else { return }
        var ground = sample(rest, x: pixel.x, y: pixel.y, bends[0])
        if isGroundShaded {
            let start = curl.start(fromX: pixel.x, y: pixel.y, at: place)
            ground.light = 1 - curl.shadowBelow(at: place, start: start, end: end)
        }
        row.addGround(ground, at: pixel.column)
    }

    @inline(__always)
    private func bendIndex(_ place: Double) -> Int {
        min(bends.count - 1, max(0, Int((place - curl.fold) * Self.bendsPerPixel)))
    }

    /// Adds the front or the back of the page.
    ///
    /// - Parameter share: The share of the pixel that is left for it.
    /// - Returns: The share that it takes.
    @inline(__always)
    private func addFace(
        _ pixel: Pixel, position: Double, _ bend: Bend, share: Double, row: inout PageRow,
        _ sample: (_ weight: Double) -> PageRow.Sample
    ) -> Double {
        let way = position - pixel.place
        let (x, y) = (pixel.x + curl.direction.x * way, pixel.y + curl.direction.y * way)
        let covered = share * page.share(x: x, y: y, width: bend.width, height: bend.height)
        guard covered > 0 else { return 0 }
        var made = sample(covered * picture.share(x: x, y: y, width: bend.width, height: bend.height))
        (made.x, made.y) = (x, y)
        row.addPage(made, at: pixel.column)
        return covered
    }

    @inline(__always)
    private func sample(_ weight: Double, x: Double = 0, y: Double = 0, _ bend: Bend) -> PageRow.Sample {
        PageRow.Sample(x: x, y: y, across: bend.across, down: bend.down, weight: weight)
    }

    @inline(__always)
    private func frontSample(_ weight: Double, _ bend: Bend, shadow: Double) -> PageRow.Sample {
        var front = sample(weight, bend)
        if isPageShaded { front.light = (1 - bend.frontDarkness) * (1 - shadow) }
        return front
    }

    @inline(__always)
    private func backSample(_ weight: Double, _ bend: Bend) -> PageRow.Sample {
        // The back of a translucent page has to stay translucent: paper would hide what is below.
        guard isPageShaded else { return sample(weight * (1 - PageCurl.paleness), bend) }
        var back = sample(weight, bend)
        back.white = PageCurl.paleness * (1 - bend.backDarkness)
        back.light = max(0, 1 - back.white - bend.backDarkness)
        return back
    }
}

extension PageCurl {
    /// The horizontal position in a row where the lower edge of the page's back is seen, with its shadow.
    ///
    /// - Parameter start: The place of the row's point at 0.
    fileprivate func backEdge(inRow y: Double, start: Double) -> Double {
        let back = y + direction.y * (2 * fold + .pi * radius - 2 * start)
        return (back - bounds.maxY - shadowLength - 1) / (2 * direction.x * direction.y)
    }

    /// The first place where the page's back, or its shadow, may be visible.
    var nearestBend: Double {
        let length = place(ofX: direction.x < 0 ? bounds.x : bounds.maxX, y: bounds.maxY)
        return min(fold, 2 * fold + .pi * radius - length - shadowLength) - 1
    }
}
