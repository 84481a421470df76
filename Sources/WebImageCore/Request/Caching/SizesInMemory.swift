import Synchronization

/// The thumbnails of each picture that were put into a memory tier, for caches that make smaller pictures from larger
/// ones; see ``ImageCaching/sizesInMemory``. Hints only: a picture may have been evicted since.
public final class SizesInMemory: Sendable {
    /// A thumbnail that was put into memory.
    package struct Thumbnail: Sendable, Hashable {
        package let key: CacheKey
        package let size: PixelSize
        /// The file that it was made from, where that is known.
        package var file: FileFingerprint?

        package init(key: CacheKey, size: PixelSize, file: FileFingerprint? = nil) {
            self.key = key
            self.size = size
            self.file = file
        }
    }

    private let thumbnails = Mutex<[CacheKey: [Thumbnail]]>([:])
    /// The most sizes recorded for one picture, and the most pictures with records.
    private static let largestCount = (sizes: 8, pictures: 1 << 14)

    package init() {}

    /// Notes that a thumbnail of the picture called `original` was put into memory. Thumbnails of an older file of that
    /// key are forgotten: after a refresh, no new size is made from the old picture.
    package func note(_ thumbnail: Thumbnail, of original: CacheKey) {
        thumbnails.withLock { thumbnails in
            // Clearing all records from time to time is cheaper than tracking their use.
            if thumbnails.count >= Self.largestCount.pictures, thumbnails[original] == nil { thumbnails = [:] }
            var known = thumbnails[original, default: []].filter {
                $0.key != thumbnail.key && $0.file == thumbnail.file
            }
            known.append(thumbnail)
            thumbnails[original] = known.suffix(Self.largestCount.sizes)
        }
    }

    /// Notes that a thumbnail is not in memory now.
    package func forget(_ thumbnail: Thumbnail, of original: CacheKey) {
        thumbnails.withLock { thumbnails in
            thumbnails[original]?.removeAll { $0 == thumbnail }
            if thumbnails[original]?.isEmpty == true { thumbnails[original] = nil }
        }
    }

    /// Notes that the picture called `original` is made from `file` now; nil when there is none.
    package func forgetThumbnails(of original: CacheKey, unlessOf file: FileFingerprint?) {
        thumbnails.withLock { thumbnails in
            guard let known = thumbnails[original] else { return }
            let rest = known.filter { file != nil && $0.file == file }
            thumbnails[original] = rest.isEmpty ? nil : rest
        }
    }

    /// The thumbnails of a picture, the smallest first.
    package func thumbnails(of original: CacheKey) -> [Thumbnail] {
        thumbnails.withLock { $0[original] ?? [] }.sorted { $0.size.area < $1.size.area }
    }
}
