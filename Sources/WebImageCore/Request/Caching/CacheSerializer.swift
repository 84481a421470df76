import FoundationEssentials

/// Makes the bytes that are written to the disk cache.
public protocol CacheSerializer: Sendable {
    /// The bytes to write; nil leaves it to the cache: the file as it came, or the encoded picture. Called on a
    /// background thread, once for each file that is written.
    ///
    /// - Parameters:
    ///   - image: The picture; nil where a file is stored that only a thumbnail was decoded from.
    ///   - data: The file as it came; nil for a thumbnail or a transformed picture.
    func data(for image: Image?, originalData data: Data?, url: URL) -> Data?
}
