import Glibc
import WebImage

extension Bitmap {
    /// The rows from the first to the last one that differ from those of `other`; nil where size, format or colours do.
    ///
    /// Where first and last rows differ, no others are compared: the time that this takes is saved in drawing.
    func changedRows(since other: Bitmap) -> Range<Int>? {
        guard size == other.size, format == other.format, colorSpace == other.colorSpace else { return nil }
        func isSame(_ row: Int) -> Bool { hasSameRow(row, as: other) }
        guard let first = (0..<size.height).first(where: { !isSame($0) }) else { return 0..<0 }
        let last = (first..<size.height).last { !isSame($0) } ?? first
        return first..<last + 1
    }

    private func hasSameRow(_ row: Int, as other: Bitmap) -> Bool {
        withUnsafeBytes { pixels in
            other.withUnsafeBytes { former in
                guard let one = pixels.baseAddress, let another = former.baseAddress else { return false }
                return memcmp(one + row * bytesPerRow, another + row * bytesPerRow, bytesPerRow) == 0
            }
        }
    }
}
