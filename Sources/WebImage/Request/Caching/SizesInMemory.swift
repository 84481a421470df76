import Synchronization

/// Which thumbnails of each picture were put into a memory tier, for caches that have smaller pictures made of larger ones;
/// see ``ImageCaching/sizesInMemory``. Hints only: what is still there, the memory tells.
public final class SizesInMemory: Sendable {
    /// A thumbnail that was put into memory.
    struct Thumbnail: Sendable, Hashable {
        let key: CacheKey
        let size: PixelSize
        /// The file that it was made of, where that is known.
        var file: FileFingerprint?
    }

    private let thumbnails = Mutex<[CacheKey: [Thumbnail]]>([:])
    /// Sizes that are remembered of one picture, and pictures of which any are.
    private static let largestCount = (sizes: 8, pictures: 1 << 14)

    init() {}

    /// Notes that a thumbnail of the picture called `original` was put into memory. Those of another file, which had that
    /// name before, are forgotten: of what was refreshed, nobody gets the old picture in a new size.
    func note(_ thumbnail: Thumbnail, of original: CacheKey) {
        thumbnails.withLock { thumbnails in
            // To begin anew from time to time is cheaper than to know what was used when.
            if thumbnails.count >= Self.largestCount.pictures, thumbnails[original] == nil { thumbnails = [:] }
            var known = thumbnails[original, default: []].filter {
                $0.key != thumbnail.key && $0.file == thumbnail.file
            }
            known.append(thumbnail)
            thumbnails[original] = known.suffix(Self.largestCount.sizes)
        }
    }

    /// Notes that a thumbnail was not there any more.
    func forget(_ thumbnail: Thumbnail, of original: CacheKey) {
        thumbnails.withLock { thumbnails in
            thumbnails[original]?.removeAll { $0 == thumbnail }
            if thumbnails[original]?.isEmpty == true { thumbnails[original] = nil }
        }
    }

    /// Notes that the picture called `original` is that of `file` from now on; nil for none any more.
    func forgetThumbnails(of original: CacheKey, unlessOf file: FileFingerprint?) {
        thumbnails.withLock { thumbnails in
            guard let known = thumbnails[original] else { return }
            let rest = known.filter { file != nil && $0.file == file }
            thumbnails[original] = rest.isEmpty ? nil : rest
        }
    }

    /// The thumbnails of a picture, the smallest first.
    func thumbnails(of original: CacheKey) -> [Thumbnail] {
        thumbnails.withLock { $0[original] ?? [] }.sorted { $0.size.area < $1.size.area }
    }
}
