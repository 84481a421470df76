/// Looking at the beginning of an entry's file.
extension DiskDirectory {
    /// Enough for the key and the header fields of nearly every entry.
    private static let usualHeaderSize = 4096

    /// What is known of an entry without reading its body; nil when there is none, or a damaged one.
    func summary(of name: DiskEntryName) throws(FileSystemError) -> DiskCacheEntrySummary? {
        guard let beginning = try readBeginning(of: name, count: Self.usualHeaderSize),
            let headerSize = beginning.withBytes({ DiskEntryHeader.byteCount(of: $0) })
        else { return nil }
        if headerSize <= beginning.count { return DiskCacheEntrySummary(beginning, path: path(of: name)) }
        guard headerSize <= beginning.status.size, let longer = try readBeginning(of: name, count: headerSize) else {
            return nil
        }
        return DiskCacheEntrySummary(longer, path: path(of: name))
    }
}

extension DiskCacheEntrySummary {
    /// Whether the entry has an end of its own, for the index.
    var expiry: IndexRecord.Expiry { expiresAt == nil ? .never : .some }
}
