import FoundationEssentials

/// What a picture's file was, and how it was got. It stays with the picture in memory.
struct ImageOrigin: Sendable {
    /// The fingerprint of the file; nil where there is none, or none that can be compared.
    var file: FileFingerprint?
    /// The expiry date of the file, and so of the picture; nil without one.
    var expiresAt: Date?
    /// Loads that are allowed less do not see the picture.
    var rights = LoadRights()
    /// Whether the server forbids that anything of it is written to a disk (RFC 9111 §5.2.2.5).
    var staysOffDisk = false
}
