import FoundationEssentials
import WebImage

/// Walks over a file's chain of directories, of which each is a page (TIFF 6.0 §2; BigTIFF has wider numbers).
struct TIFFDirectories {
    private let data: Data
    private let isLittleEndian: Bool
    /// Bytes of an offset, of a number of entries, and of an entry.
    private let widths: (offset: Int, count: Int, entry: Int)

    /// - Throws: ``WebImageError/Code/badImageData`` without TIFF's signature, and
    ///   ``WebImageError/Code/truncatedImageData`` when the first directory is not there.
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

    /// Where the first directory begins; far behind the end where even that is missing.
    private var first: Int { number(at: widths.offset == 8 ? 8 : 4, bytes: widths.offset) ?? .max }

    /// Directories of the chain, up to `maximum`; one that comes back to itself or leaves the file ends there.
    func count(maximum: Int) -> Int {
        var visited: Set<Int> = []
        var start = first
        while start > 0, visited.count < maximum, let entries = number(at: start, bytes: widths.count),
            entries <= data.count / widths.entry, visited.insert(start).inserted
        {
            start = number(at: start + widths.count + entries * widths.entry, bytes: widths.offset) ?? 0
        }
        return max(1, visited.count)
    }

    /// An unsigned number in the file's byte order; nil beyond the end.
    private func number(at offset: Int, bytes count: Int) -> Int? {
        guard offset >= 0, offset <= data.count - count else { return nil }
        let digits = data[in: offset..<offset + count]
        let value = (isLittleEndian ? digits.reversed() : Array(digits)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
