import CPixels

/// The samples of one row of pixels: of the page, and of what is at rest behind it.
struct PageRow {
    /// What a sample shows: a rectangle of a picture, around a point in device pixels of the view.
    struct Sample {
        var x: Double
        var y: Double
        var across: UnsafePointer<webimage_boxes>
        var down: UnsafePointer<webimage_boxes>
        var weight: Double
        var light = 1.0
        var white = 0.0
    }

    /// The front and the back of the page, and what is behind it.
    static let samplesPerColumn = 3

    private(set) var pages: Samples
    private(set) var grounds: Samples

    /// - Parameters:
    ///   - page: The picture on the page; nil for none.
    ///   - ground: The picture behind it; nil for none.
    ///   - columns: The pixels of the row.
    ///   - storage: Memory for ``samplesPerColumn`` samples for each of them.
    init(
        page: PagePicture?, ground: PagePicture?, columns: Range<Int>,
        storage: UnsafeMutableBufferPointer<webimage_sample>
    ) {
        pages = Samples(page, columns, storage.baseAddress)
        grounds = Samples(ground, columns, storage.baseAddress.map { $0 + 2 * columns.count })
    }

    @inline(__always)
    mutating func addPage(_ sample: Sample, at column: Int) { pages.add(sample, at: column) }

    @inline(__always)
    mutating func addGround(_ sample: Sample, at column: Int) { grounds.add(sample, at: column) }

    mutating func write(to row: UnsafeMutablePointer<UInt8>) {
        grounds.write(to: row)
        pages.write(to: row)
    }

    /// The samples of one picture.
    struct Samples {
        private let picture: PagePicture?
        private let columns: Range<Int>
        private let samples: UnsafeMutablePointer<webimage_sample>?
        private var count = 0
        private let (x, y, maxX, maxY): (Double, Double, Double, Double)

        fileprivate init(
            _ picture: PagePicture?, _ columns: Range<Int>, _ samples: UnsafeMutablePointer<webimage_sample>?
        ) {
            self.picture = picture
            self.columns = columns
            self.samples = samples
            let frame = picture?.frame ?? PointRect(x: 0, y: 0, width: 0, height: 0)
            (x, y) = (frame.x + 0.5, frame.y + 0.5)
            (maxX, maxY) = (frame.size.width, frame.size.height)
        }

        @inline(__always)
        fileprivate mutating func add(_ sample: Sample, at column: Int) {
            guard let samples, picture != nil, sample.weight > 0 else { return }
            samples[count] = webimage_sample(
                x: Self.fixed(sample.x - x, maxX), y: Self.fixed(sample.y - y, maxY), across: sample.across,
                down: sample.down, weight: Self.share(sample.weight), light: Self.share(sample.light),
                white: Self.share(sample.white), column: UInt16(truncatingIfNeeded: column - columns.lowerBound))
            count += 1
        }

        /// The picture at rest, in some of the columns.
        func copy(_ part: Range<Int>, row y: Int, to row: UnsafeMutablePointer<UInt8>) {
            guard let picture else { return }
            let (left, top) = (Int(picture.frame.x), Int(picture.frame.y))
            let (first, last) = (max(part.lowerBound, left), min(part.upperBound, left + Int(picture.plane.width)))
            guard first < last, y >= top, y < top + Int(picture.plane.height) else { return }
            withUnsafePointer(to: picture.plane) { plane in
                webimage_copy_pixels(
                    plane, first - left, y - top, last - first, row + (first - columns.lowerBound) * 4)
            }
        }

        fileprivate mutating func write(to row: UnsafeMutablePointer<UInt8>) {
            guard let picture, count > 0 else { return }
            withUnsafePointer(to: picture.plane) { webimage_add_samples($0, samples, count, row) }
            count = 0
        }

        /// Beyond its edges a picture continues with its outermost pixels.
        @inline(__always)
        private static func fixed(_ place: Double, _ end: Double) -> Int32 { Int32(min(end, max(-1, place)) * 65536) }

        @inline(__always)
        private static func share(_ value: Double) -> UInt16 { UInt16(min(1, max(0, value)) * 65535 + 0.5) }
    }
}
