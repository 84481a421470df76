import FoundationEssentials

/// Bytes on disk with what is known of them.
public struct DiskCacheEntry: Sendable {
    /// The most bytes of ``extendedData``, 1 MiB: it is read with every picture.
    public static let largestExtendedData = 1 << 20

    /// The file as it came from the server, or a picture as it was encoded for the cache.
    public var data: Data
    /// When it was stored, or last found to be as the server has it.
    public var storedAt: Date
    /// When it was first stored.
    public var createdAt: Date
    /// From when on it counts as none, whatever ``ImageCacheConfig/maxDiskAge`` says; nil for never. Default nil.
    ///
    /// Until it is read or removed by its age, such an entry still takes its place on disk.
    public var expiresAt: Date?
    /// The header fields it came with, names in lower case; empty for anything but HTTP.
    public var headers: [String: String] {
        get { fields.dictionary }
        set { fields = .decoded(newValue) }
    }
    /// The app's own bytes, kept and removed with the entry; ``largestExtendedData`` at most.
    public var extendedData: Data?
    /// The size of the whole picture, of which the file is a reduced one; nil for a file that is the whole. Default nil.
    ///
    /// A picture that is decoded from the file has it as its ``ImageMetadata/originalPixelSize``, so that a view lays out the
    /// same whether a thumbnail was just made or comes from the disk. Sides beyond 1 to 4,294,967,295 count as nil.
    public var originalPixelSize: PixelSize?

    var fields: HTTPFields

    /// An entry stored now.
    ///
    /// - Parameter createdAt: nil for `storedAt`.
    public init(
        data: Data, storedAt: Date = Date(), headers: [String: String] = [:], extendedData: Data? = nil,
        createdAt: Date? = nil, expiresAt: Date? = nil, originalPixelSize: PixelSize? = nil
    ) {
        self.init(
            data: data, storedAt: storedAt, createdAt: createdAt ?? storedAt, expiresAt: expiresAt,
            fields: .decoded(headers), extendedData: extendedData, originalPixelSize: originalPixelSize)
    }

    init(
        data: Data, storedAt: Date, createdAt: Date, expiresAt: Date?, fields: HTTPFields, extendedData: Data?,
        originalPixelSize: PixelSize?
    ) {
        self.data = data
        self.storedAt = storedAt
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.fields = fields
        self.extendedData = extendedData
        self.originalPixelSize = originalPixelSize
    }
}
