import Glibc
import WebImage

extension Bitmap {
    /// The rows that look different where the bitmap is drawn in the place of `other`; nil where size, format or colours
    /// differ.
    ///
    /// A renderer mixes neighbouring rows, and more of them the more it reduces a picture.
    func changedRowsAsDrawn(since other: Bitmap) -> Range<Int>? {
        guard let rows = changedRows(since: other) else { return nil }
        guard !rows.isEmpty else { return rows }
        let margin = max(2, size.height / 32)
        return max(0, rows.lowerBound - margin)..<min(size.height, rows.upperBound + margin)
    }

    /// The rows from the first to the last one that differ from those of `other`; nil where size, format or colours do.
    ///
    /// If the first and the last row differ, no others are compared.
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
