import FoundationEssentials
import WebImageCore

/// The pictures in an icon or cursor file: one picture in several sizes and depths.
///
/// Sizes and depths in the directory are ignored, because they cannot exceed 256 and are often wrong: each picture has
/// its own header.
struct ICODirectory {
    /// The readable pictures, in the order of the file; not empty.
    let entries: [ICOEntry]

    private static let icon = 1
    private static let cursor = 2
    private static let entryByteCount = 16
    /// Icons have ten or so.
    private static let maximumCount = 1000

    /// - Parameter isComplete: False when `data` is the beginning of the file; it must then contain all headers.
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where a beginning is too short, or a file has no complete
    ///   entry; ``WebImageError/Code/badImageData`` and ``WebImageError/Code/limitExceeded``.
    init(_ data: Data, isComplete: Bool, options: ImageDecodeOptions) throws(WebImageError) {
        var reader = ByteReader(data, format: .ico)
        guard try reader.littleEndian(bytes: 2) == 0,
            case Self.icon...Self.cursor = try reader.littleEndian(bytes: 2)
        else { throw .damaged(.ico, "it has no ICO signature") }
        let count = try reader.littleEndian(bytes: 2)
        guard count <= options.limits.maximumFrameCount else { throw .tooManyFrames(.ico, options.limits) }
        guard count <= Self.maximumCount else { throw .damaged(.ico, "it claims \(count) pictures") }
        var entries: [ICOEntry] = []
        var failure: WebImageError?
        // Hostile files refer a thousand times to the same long header.
        var starts: Set<Int> = []
        for _ in 0..<count {
            try options.checkCancellation()
            // The directory itself must be complete.
            var entry = ByteReader(data, format: .ico, range: try reader.range(count: Self.entryByteCount))
            let start = try Self.start(&entry)
            guard starts.insert(start).inserted else { continue }
            do throws(WebImageError) {
                entries.append(try ICOEntry(data, start: start))
            } catch {
                if !isComplete, error.code == .truncatedImageData { throw error }
                failure = failure ?? error
            }
        }
        if entries.isEmpty { throw failure ?? .damaged(.ico, "it has no picture") }
        self.entries = entries
    }

    /// The largest picture, and of several the deepest.
    var best: ICOEntry { choose { _ in true } ?? entries[0] }

    /// The smallest picture that is at least `size` and has the proportions of the largest; of several the deepest.
    func nearest(to size: PixelSize) -> ICOEntry {
        let best = best
        let candidates = entries.filter { entry in
            entry.size.width >= size.width && entry.size.height >= size.height
                && entry.size.width * best.size.height == entry.size.height * best.size.width
        }
        let area = candidates.map(\.size.area).min()
        return choose { candidate in candidates.contains { $0.start == candidate.start } && candidate.size.area == area
        }
            ?? best
    }

    private func choose(_ isCandidate: (ICOEntry) -> Bool) -> ICOEntry? {
        entries.filter(isCandidate).max { ($0.size.area, $0.bitsPerPixel) < ($1.size.area, $1.bitsPerPixel) }
    }

    /// Reads the offset of an entry's picture. The length in the entry is ignored: a bitmap's follows from its header,
    /// and a PNG file contains its own end.
    private static func start(_ reader: inout ByteReader) throws(WebImageError) -> Int {
        try reader.skip(12)
        return try reader.littleEndian(bytes: 4)
    }
}
