import CPixels
import WebImageCore

/// Draws the back of a page that rolls up, and the front where it bends.
struct CurlRoll {
    private let curl: PageCurl
    private let page: PagePicture?
    private let roll: webimage_roll

    /// Calls `body` with the roll of a page.
    ///
    /// - Parameters:
    ///   - curl: In device pixels.
    ///   - page: The picture on the page; nil for none.
    static func with(_ curl: PageCurl, _ page: PagePicture?, _ body: (CurlRoll) -> Void) {
        let density = min(4, 16384 / curl.radius)
        let count = Int((curl.radius + 1) * density) + 1
        withUnsafeTemporaryAllocation(of: webimage_bend.self, capacity: count) { bends in
            for index in 0..<count {
                bends.initializeElement(
                    at: index,
                    to: webimage_bend(
                        curl, at: curl.firstBend + Double(index) / density, isShaded: page?.isShaded ?? true))
            }
            body(CurlRoll(curl, page, UnsafeBufferPointer(bends), density: density))
        }
    }

    private init(_ curl: PageCurl, _ page: PagePicture?, _ bends: UnsafeBufferPointer<webimage_bend>, density: Double) {
        self.curl = curl
        self.page = page
        let (bounds, frame) = (curl.bounds, page?.frame ?? curl.bounds)
        let origin = curl.place(ofX: 0, y: 0)
        roll = webimage_roll(
            picture: page?.plane ?? webimage_plane(), picture_x: Float(frame.x + 0.5), picture_y: Float(frame.y + 0.5),
            left: Float(bounds.x), top: Float(bounds.y), right: Float(bounds.maxX), bottom: Float(bounds.maxY),
            direction_x: Float(curl.direction.x), direction_y: Float(curl.direction.y),
            first_bend: Float(curl.firstBend - origin), crest: Float(curl.crest - curl.firstBend),
            bends: bends.baseAddress, bend_count: Int32(bends.count), bends_per_pixel: Float(density),
            back_alpha: page?.isShaded ?? true ? .max : sixteenBits(1 - PageCurl.paleness))
    }

    /// Draws a row over what is there.
    func draw(_ row: CurlRow, into canvas: PageCanvas) {
        let flat = row.columnsOfBack(in: row.columns(above: -.infinity, upTo: curl.firstBend))
        let bent = row.columns(above: curl.firstBend, upTo: curl.crest + 0.5)
        if flat.upperBound == bent.lowerBound, !flat.isEmpty {
            draw(flat.lowerBound..<bent.upperBound, of: row, into: canvas)
        } else if bent.upperBound == flat.lowerBound, !flat.isEmpty {
            draw(bent.lowerBound..<flat.upperBound, of: row, into: canvas)
        } else {
            draw(flat, of: row, into: canvas)
            draw(bent, of: row, into: canvas)
        }
    }

    private func draw(_ columns: Range<Int>, of row: CurlRow, into canvas: PageCanvas) {
        guard !columns.isEmpty else { return }
        var shadow = curl.shadowOnFront(in: row).from(columns.lowerBound)
        if page?.isShaded != true { shadow.darkness = 0 }
        withUnsafePointer(to: roll) {
            webimage_draw_roll(
                $0, Float(columns.lowerBound) + 0.5, Float(row.number) + 0.5, &shadow, columns.count,
                canvas.pixel(columns.lowerBound, row.number))
        }
    }
}

extension PageCurl {
    /// The last place where all that a pixel shows is flat.
    var firstBend: Double { fold - 0.5 }
}

extension webimage_bend {
    /// - Parameters:
    ///   - curl: In device pixels.
    ///   - place: The middle of a pixel, from the first bend to half a pixel behind the crest.
    ///   - isShaded: Whether the page is opaque.
    fileprivate init(_ curl: PageCurl, at place: Double, isShaded: Bool) {
        self.init()
        func ends(_ place: Double) -> Extent {
            Extent(curl.front(at: place - 0.5), curl.front(at: min(curl.crest, place + 0.5)))
        }
        let (seen, next) = (ends(place), ends(place + 0.25))
        self.place = Float(place - curl.firstBend)
        front = Float(seen.middle - place)
        back = Float(curl.looseEnd - seen.middle - place)
        // All places before the first bend are its own, too.
        let slope = place == curl.firstBend ? 1 : (next.middle - seen.middle) * 4
        (front_slope, back_slope) = (Float(slope - 1), Float(-slope - 1))
        setTaps(max(1, seen.length), curl.direction)
        setLight(curl, place, isShaded: isShaded)
    }

    /// - Parameter length: The length of the page that a pixel shows, in the curl's direction.
    private mutating func setTaps(_ length: Double, _ direction: PageCurl.Point) {
        let count = min(64, length.rounded())
        let step = length / count * 65536
        (tap_step_x, tap_step_y) = (Int32(direction.x * step), Int32(direction.y * step))
        tap_count = Int32(count)
        (tap_x, tap_y) = (-tap_step_x * (tap_count - 1) / 2, -tap_step_y * (tap_count - 1) / 2)
        tap_share = UInt32(65536 / count)
        func reciprocal(_ part: Double) -> Float { Float(1 / (1 + part * part * (length * length - 1)).squareRoot()) }
        (across, down) = (reciprocal(direction.x), reciprocal(direction.y))
    }

    private mutating func setLight(_ curl: PageCurl, _ place: Double, isShaded: Bool) {
        front_light = sixteenBits(isShaded ? curl.frontLight(at: place) : 1)
        // The back of a translucent page has to stay translucent: paper would hide what is below.
        let light = isShaded ? curl.backLight(at: place) : 1
        back_light = sixteenBits((1 - PageCurl.paleness) * light)
        back_white = isShaded ? sixteenBits(PageCurl.paleness * light) : 0
    }
}

/// A share as the drawing functions take it.
private func sixteenBits(_ share: Double) -> UInt16 { UInt16(min(1, max(0, share)) * 65535 + 0.5) }
