import CPixels

/// The boxes for lengths of the page that one pixel shows.
struct PageBoxes {
    private static let stepsPerPixel = 32.0
    private static let longest = 17.0
    /// Made once, and never freed.
    nonisolated(unsafe) private static let table: UnsafePointer<webimage_boxes> = {
        let count = Int(longest * stepsPerPixel) + 1
        let table = UnsafeMutablePointer<webimage_boxes>.allocate(capacity: count)
        for index in 0..<count {
            (table + index).initialize(to: webimage_make_boxes(Float(Double(index) / stepsPerPixel)))
        }
        return UnsafePointer(table)
    }()

    private let table = Self.table

    /// The boxes for a length in pixels.
    @inline(__always)
    subscript(length: Double) -> UnsafePointer<webimage_boxes> {
        table + Int(min(Self.longest, max(0, length)) * Self.stepsPerPixel)
    }
}
