import FoundationEssentials
import WebImageCoders
import WebImageCore

/// Walks a file's chain of directories, each of which is a page (TIFF 6.0 §2; BigTIFF has wider numbers).
struct TIFFDirectories {
    private let data: Data
    private let isLittleEndian: Bool
    /// The widths in bytes of an offset, of a number of entries, and of an entry.
    private let widths: (offset: Int, count: Int, entry: Int)

    /// - Throws: ``WebImageError/Code/badImageData`` without TIFF's signature, and
    ///   ``WebImageError/Code/truncatedImageData`` when the first directory is missing.
    init(_ data: Data) throws(WebImageError) {
        self.data = data
        isLittleEndian = data.starts(with: Array("II".utf8))
        let format = ImageFormat(sniffing: data.prefix(4))
        guard format == .tiff else { throw .damaged(.tiff, "it has no TIFF signature") }
        let isBig = data[in: 2..<4].contains(43)
        widths = isBig ? (8, 8, 20) : (4, 2, 12)
        guard number(at: first, bytes: widths.count) != nil else { throw .truncated(.tiff) }
        guard first > 0 else { throw .damaged(.tiff, "it has no directory") }
    }

    /// The offset of the first directory; far beyond the end where even that is missing.
    private var first: Int { number(at: widths.offset == 8 ? 8 : 4, bytes: widths.offset) ?? .max }

    /// The number of directories in the chain; the chain ends where it returns to itself or leaves the file.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` for more than the limits allow.
    func count(_ options: ImageDecodeOptions) throws(WebImageError) -> Int {
        var count = 0
        try walk(options) { _ in
            count += 1
            return true
        }
        return max(1, count)
    }

    /// The offset of the directory of the page that `options` select.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` where the file has no such page.
    func place(of options: ImageDecodeOptions) throws(WebImageError) -> Int {
        var place = first
        var count = 0
        try walk(options) { start in
            place = start
            count += 1
            return count <= options.pageIndex
        }
        try options.checkPage(of: .tiff, count: count)
        return place
    }

    /// Visits the directories in order until `visit` returns false.
    private func walk(_ options: ImageDecodeOptions, _ visit: (Int) -> Bool) throws(WebImageError) {
        var visited: Set<Int> = []
        var start = first
        while start > 0, let entries = number(at: start, bytes: widths.count), entries <= data.count / widths.entry,
            visited.insert(start).inserted
        {
            guard visited.count <= options.limits.maximumFrameCount else { throw .tooManyFrames(.tiff, options.limits) }
            if visited.count % Self.directoriesBetweenChecks == 0 { try options.checkCancellation() }
            guard visit(start) else { return }
            start = number(at: start + widths.count + entries * widths.entry, bytes: widths.offset) ?? 0
        }
    }

    private static let directoriesBetweenChecks = 1024

    /// An unsigned number in the file's byte order; nil beyond the end.
    private func number(at offset: Int, bytes count: Int) -> Int? {
        guard offset >= 0, offset <= data.count - count else { return nil }
        let digits = data[in: offset..<offset + count]
        let value = (isLittleEndian ? digits.reversed() : Array(digits)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
