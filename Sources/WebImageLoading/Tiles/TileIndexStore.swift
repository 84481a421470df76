import FoundationEssentials
import WebImageCore

/// Keeps the index of a file from one visit to the next. Any thread; blocks.
protocol TileIndexStore: Sendable {
    /// The index that was kept of this very file; nil for none.
    func index(of file: RandomAccessFile) -> Data?
    /// Keeps an index for the next visit, if that is possible.
    func keep(_ index: Data, of file: RandomAccessFile)
}

/// Keeps an index in a disk cache, in an entry of its own beside that of the picture, which is not read with it.
///
/// Before the index stands what identifies the file: its length, for a local file its stamp, and a checksum of samples.
struct CachedTileIndex: TileIndexStore {
    private let cache: any ImageCaching
    private let key: CacheKey

    private static let version: UInt32 = 1
    private static let sampleCount = 16
    private static let sampleByteCount = 4096

    /// - Parameter picture: The key of the picture.
    init(of picture: CacheKey, in cache: any ImageCaching) {
        self.cache = cache
        key = picture.ofTileIndex
    }

    func index(of file: RandomAccessFile) -> Data? {
        guard let entry = try? cache.queryDiskBlocking(for: key), let identity = Self.identity(of: file),
            entry.data.starts(with: identity)
        else { return nil }
        return Data(entry.data.dropFirst(identity.count))
    }

    func keep(_ index: Data, of file: RandomAccessFile) {
        guard let identity = Self.identity(of: file) else { return }
        cache.storeOnDisk(DiskCacheEntry(data: identity + index), for: key, completion: nil)
    }

    /// nil where the file cannot be read.
    private static func identity(of file: RandomAccessFile) -> Data? {
        var samples: [UInt8] = []
        for place in 0..<sampleCount {
            let last = max(0, file.byteCount - sampleByteCount)
            guard let sample = try? file.bytes(at: last * place / (sampleCount - 1), count: sampleByteCount) else {
                return nil
            }
            samples += sample
        }
        var identity = Data()
        identity.append(integer: version)
        identity.append(integer: UInt64(file.byteCount))
        identity.append(integer: XXH3.checksum(of: samples.span.bytes))
        for number in file.stamp?.numbers ?? [0, 0, 0, 0] { identity.append(integer: number) }
        return identity
    }
}
