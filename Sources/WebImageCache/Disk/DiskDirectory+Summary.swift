import FoundationEssentials
import WebImageCore

/// Reads the beginning of an entry's file.
extension DiskDirectory {
    /// Large enough for the key and the header fields of nearly every entry.
    private static let usualHeaderSize = 4096

    /// The summary of an entry without its body; nil when there is none, or a damaged one.
    func summary(of name: DiskEntryName) throws(FileSystemError) -> DiskCacheEntrySummary? {
        try beginning(of: name).flatMap { DiskCacheEntrySummary($0, path: path(of: name)) }
    }

    /// Whether there is an entry of that key that has not expired at `time`.
    ///
    /// - Parameter counts: Whether a file counts, by its status and the date of its first store.
    func contains(
        _ key: CacheKey, _ name: DiskEntryName, at time: Date,
        where counts: (FileStatus, Date) -> Bool = { _, _ in true }
    ) throws(FileSystemError) -> Bool {
        guard let beginning = try beginning(of: name) else { return false }
        return beginning.withBytes { bytes in
            guard let header = DiskEntryHeader(bytes, fileSize: beginning.status.size) else { return false }
            return bytes.holds(key.string, in: header.key) && header.expiresAt.map { $0 > time } ?? true
                && counts(beginning.status, header.createdAt)
        }
    }

    /// An entry of that key with empty data; nil when there is none that has not expired at `time`, or a damaged one.
    ///
    /// - Parameter counts: As for ``contains(_:_:at:where:)``.
    func head(
        of key: CacheKey, _ name: DiskEntryName, at time: Date,
        where counts: (FileStatus, Date) -> Bool = { _, _ in true }
    ) throws(FileSystemError) -> DiskCacheEntry? {
        guard let beginning = try beginning(of: name) else { return nil }
        return beginning.withBytes { bytes in
            guard let header = DiskEntryHeader(bytes, fileSize: beginning.status.size),
                bytes.holds(key.string, in: header.key), header.expiresAt.map({ $0 > time }) ?? true,
                counts(beginning.status, header.createdAt),
                let fields = HTTPFields(beginning.data(in: header.fields))
            else { return nil }
            return DiskCacheEntry(
                data: Data(), storedAt: header.storedAt, createdAt: header.createdAt, expiresAt: header.expiresAt,
                fields: fields, extendedData: header.extendedData.map { beginning.data(in: $0) },
                originalPixelSize: header.originalPixelSize, rights: header.rights)
        }
    }

    /// The fingerprint of the file that an original's entry has, or was made from; nil where there is none.
    func fingerprint(of key: CacheKey, _ name: DiskEntryName) throws(FileSystemError) -> FileFingerprint? {
        guard let beginning = try beginning(of: name) else { return nil }
        return beginning.withBytes { bytes in
            guard let header = DiskEntryHeader(bytes, fileSize: beginning.status.size),
                bytes.holds(key.string, in: header.key), let fields = HTTPFields(beginning.data(in: header.fields))
            else { return nil }
            return fields.dictionary[HTTPRecord.original].flatMap { FileFingerprint($0) } ?? header.fingerprint
        }
    }

    /// At least all of the header; nil when there is no file, or its beginning is no header.
    private func beginning(of name: DiskEntryName) throws(FileSystemError) -> FileBytes? {
        guard let beginning = try readBeginning(of: name, count: Self.usualHeaderSize),
            let headerSize = beginning.withBytes({ DiskEntryHeader.byteCount(of: $0) })
        else { return nil }
        if headerSize <= beginning.count { return beginning }
        guard headerSize <= beginning.status.size else { return nil }
        return try readBeginning(of: name, count: headerSize)
    }
}
