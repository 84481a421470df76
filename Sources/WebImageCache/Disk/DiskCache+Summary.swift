import WebImageCore

/// The summary of one entry, without reading its body and without counting a use.
extension DiskCache {
    /// An entry with empty data: only the beginning of its file is read. nil when there is none or it has expired, and when
    /// the beginning is damaged or cannot be read.
    public func head(for key: CacheKey) -> DiskCacheEntry? {
        let name = DiskEntryName(key)
        return (try? files.head(of: key, name, at: now()) { !isTooOld(name, $0, created: $1) }) ?? nil
    }

    /// The summary of the entry under `key`; nil when there is none, or a damaged one.
    ///
    /// - Throws: An error with stage ``WebImageError/Stage/disk`` when the file exists and cannot be read.
    package func summary(for key: CacheKey) throws(WebImageError) -> DiskCacheEntrySummary? {
        let found = try summary(of: DiskEntryName(key))
        return found?.key == key ? found : nil
    }

    /// The summary of the entry in the file `fileName`, a name without directory; nil when there is no such entry, when
    /// it is damaged, and for names that no entry has. Throws as ``summary(for:)``.
    package func summary(ofFile fileName: String) throws(WebImageError) -> DiskCacheEntrySummary? {
        guard let name = DiskEntryName(fileName: fileName) else { return nil }
        return try summary(of: name)
    }

    private func summary(of name: DiskEntryName) throws(WebImageError) -> DiskCacheEntrySummary? {
        do {
            return try files.summary(of: name)
        } catch {
            throw error.webImageError(stage: .disk)
        }
    }
}
