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

    private var pages: Samples
    private var grounds: Samples

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

    /// Adds samples of the page side by side, whose points lie on a line.
    func addPages(
        _ sample: Sample, stepX: Double, stepY: Double, to part: Range<Int>, _ row: UnsafeMutablePointer<UInt8>
    ) {
        pages.add(sample, stepX: stepX, stepY: stepY, to: part, row)
    }

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
            samples[count] = made(sample, at: column)
            count += 1
        }

        fileprivate func add(
            _ sample: Sample, stepX: Double, stepY: Double, to part: Range<Int>, _ row: UnsafeMutablePointer<UInt8>
        ) {
            guard let picture else { return }
            var first = made(sample, at: part.lowerBound)
            withUnsafePointer(to: picture.plane) { plane in
                webimage_add_run(
                    plane, &first, Int32(stepX * 65536), Int32(stepY * 65536), part.count,
                    row + (part.lowerBound - columns.lowerBound) * 4)
            }
        }

        @inline(__always)
        private func made(_ sample: Sample, at column: Int) -> webimage_sample {
            webimage_sample(
                x: Self.fixed(sample.x - x, maxX), y: Self.fixed(sample.y - y, maxY), across: sample.across,
                down: sample.down, weight: sixteenBits(sample.weight), light: sixteenBits(sample.light),
                white: sixteenBits(sample.white), column: UInt16(truncatingIfNeeded: column - columns.lowerBound))
        }

        fileprivate mutating func write(to row: UnsafeMutablePointer<UInt8>) {
            guard let picture, count > 0 else { return }
            withUnsafePointer(to: picture.plane) { webimage_add_samples($0, samples, count, row) }
            count = 0
        }

        /// Beyond its edges a picture continues with its outermost pixels.
        @inline(__always)
        private static func fixed(_ place: Double, _ end: Double) -> Int32 { Int32(min(end, max(-1, place)) * 65536) }
    }
}
