import FoundationEssentials

/// A file of the disk cache, with its dates and header fields.
public struct DiskCacheEntry: Sendable {
    /// The most bytes of ``extendedData``, 1 MiB: it is read with every picture.
    package static let largestExtendedData = 1 << 20

    /// The original file from the server, or a picture encoded for the cache.
    public var data: Data
    /// When it was stored, or last revalidated by the server.
    public var storedAt: Date
    /// When it was first stored.
    public var createdAt: Date
    /// When it expires, whatever ``ImageCacheConfig/maxDiskAge`` is; nil for never. Default nil.
    ///
    /// An expired entry uses space on disk until it is read or removed by its age.
    public var expiresAt: Date?
    /// The header fields of its response, names in lower case; empty for anything but HTTP. Names that begin with a colon
    /// are notes of the cache, which a disk tier must keep: `:status`, and what the rules of HTTP need.
    public var headers: [String: String] {
        get { fields.dictionary }
        set { fields = .decoded(newValue) }
    }
    /// The app's own bytes, stored and removed with the entry; 1 MiB at most.
    public var extendedData: Data?
    /// The size of the whole picture, for a file that contains a reduced one; nil for a file with the whole. Default
    /// nil.
    ///
    /// A picture decoded from the file has it as its ``ImageMetadata/originalPixelSize``, so that a view has the same
    /// layout whether a thumbnail was just made or comes from the disk. Sides beyond 1 to 4,294,967,295 count as nil.
    public var originalPixelSize: PixelSize?

    /// The rights of the load that got the bytes; loads that are allowed less do not see them. A disk tier must keep
    /// it. The default is for bytes that all loads may see.
    public var rights = LoadRights()

    package var fields: HTTPFields

    /// That of the server's file, for an original that the app's ``CacheSerializer`` has written in its own way.
    package var serializedFingerprint: FileFingerprint? {
        let fields = fields.dictionary
        guard fields[HTTPRecord.originalKey] == nil else { return nil }
        return fields[HTTPRecord.original].flatMap { FileFingerprint($0) }
    }

    /// The fingerprint that the thumbnails of an original note.
    package var textOfFingerprint: String { (serializedFingerprint ?? FileFingerprint(data)).text }

    /// The fingerprint of the file that its picture was made of, for a thumbnail and a transformed picture; nil for others.
    /// It is one of the notes in ``headers`` (`:original`).
    public var fileFingerprint: String? { fields.dictionary[HTTPRecord.original] }

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

    package init(
        data: Data, storedAt: Date, createdAt: Date, expiresAt: Date?, fields: HTTPFields, extendedData: Data?,
        originalPixelSize: PixelSize?, rights: LoadRights = LoadRights()
    ) {
        self.data = data
        self.storedAt = storedAt
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.fields = fields
        self.extendedData = extendedData
        self.originalPixelSize = originalPixelSize
        self.rights = rights
    }
}
