import FoundationEssentials
import Glibc
import WebImageCore

/// Directories that are read where the disk tier has no entry, and that are never written.
struct AdditionalEntries: Sendable {
    private let directories: [DiskDirectory]
    private let path: (@Sendable (CacheKey) -> String?)?
    private let fileSystem: any FileSystem

    init(_ config: ImageCacheConfig, fileSystem: any FileSystem) {
        directories = config.additionalDirectories.map { DiskDirectory($0, fileSystem: fileSystem) }
        path = config.additionalCachePath
        self.fileSystem = fileSystem
    }

    /// The entry under `key`; nil also for a file that cannot be read or is damaged.
    func entry(for key: CacheKey) -> DiskCacheEntry? {
        let name = directories.isEmpty ? nil : DiskEntryName(key)
        for directory in directories {
            guard let name, let file = try? directory.read(name) else { continue }
            if let entry = DiskEntryFormat.entry(in: file, for: key), entry.expiresAt.map({ $0 > Date() }) ?? true {
                return entry
            }
        }
        guard let path = path?(key)?.withoutLinks,
            let file = try? fileSystem.read(path, limit: DiskEntryFormat.largestFile)
        else { return nil }
        return DiskCacheEntry(data: file.data(in: 0..<file.count), storedAt: Date(file.status.modified))
    }

    /// An entry without its bytes; nil also for one that is a bare file.
    func head(for key: CacheKey) -> DiskCacheEntry? {
        let name = directories.isEmpty ? nil : DiskEntryName(key)
        return directories.lazy.compactMap { directory in
            name.flatMap { (try? directory.head(of: key, $0, at: Date())) ?? nil }
        }.first
    }

    /// Whether there is an entry, as far as the beginning of a file tells.
    func contains(_ key: CacheKey) -> Bool {
        let name = directories.isEmpty ? nil : DiskEntryName(key)
        for directory in directories {
            guard let name, let found = (try? directory.summary(of: name)) ?? nil, found.key == key else { continue }
            if found.expiresAt.map({ $0 > Date() }) ?? true { return true }
        }
        guard let path = path?(key)?.withoutLinks, let status = try? fileSystem.status(of: path) else { return false }
        return status.kind == .file && status.size <= DiskEntryFormat.largestFile
    }
}

extension String {
    /// The path with symbolic links resolved: `FileSystem` follows none, and an app may install its files as links.
    fileprivate var withoutLinks: String? {
        guard let path = realpath(self, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
