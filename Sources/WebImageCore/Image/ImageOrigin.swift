import FoundationEssentials

/// A description of a picture's file, and of the way it was got. It stays with the picture in memory.
package struct ImageOrigin: Sendable {
    /// The places in which a server allows to keep a picture.
    package enum Keeping: Sendable {
        case anywhere
        /// Nothing of it may be written to a disk.
        case inMemory
        case nowhere
    }

    /// The fingerprint of the file; nil where there is none, or none that can be compared.
    package var file: FileFingerprint?
    /// The file on this machine that the load has read; nil for all other loads.
    package var localFile: FileRevision?
    /// The expiry date of the file, and so of the picture; nil without one.
    package var expiresAt: Date?
    /// When its cache has first stored the file; nil for a file of no cache.
    package var createdAt: Date?
    /// Loads that are allowed less do not see the picture.
    package var rights = LoadRights()
    /// The tiers that may keep it, and what is made of it.
    package var keeping = Keeping.anywhere
    /// The response that it came with; nil where it is none of HTTP.
    package var record: HTTPRecord?

    package init(
        file: FileFingerprint? = nil, localFile: FileRevision? = nil, expiresAt: Date? = nil, createdAt: Date? = nil,
        rights: LoadRights = LoadRights(), keeping: Keeping = .anywhere, record: HTTPRecord? = nil
    ) {
        self.file = file
        self.localFile = localFile
        self.expiresAt = expiresAt
        self.createdAt = createdAt
        self.rights = rights
        self.keeping = keeping
        self.record = record
    }
}
