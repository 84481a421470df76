import FoundationEssentials
import WebImageCore

/// Inspection of all entries, one after the other: for tools, and for an app's page about its storage.
extension DiskCache {
    /// The path of an entry's file, whether the file exists or not. The file begins with a header that describes the
    /// entry.
    public func cachePath(for key: CacheKey) -> String? { files.path(of: DiskEntryName(key)) }

    /// Calls `body` with the summary of each entry, in no order, until it returns false. Reads no bodies. Skips entries
    /// with a damaged header; may skip an entry that is stored or removed meanwhile.
    ///
    /// - Throws: An error with stage ``WebImageError/Stage/disk`` when a directory cannot be listed.
    package func forEachEntry(_ body: (DiskCacheEntrySummary) -> Bool) throws(WebImageError) {
        try forEachItem { item throws(FileSystemError) in
            guard case .entry(let name) = item.role, let summary = try? files.summary(of: name) else {
                return true
            }
            return body(summary)
        }
    }

    /// Calls `body` with the key of each entry, in no order, until it returns false. Reads the beginning of each file; skips
    /// entries with a damaged one, and the beginnings of files that are not complete.
    ///
    /// - Throws: An error with stage ``WebImageError/Stage/disk`` when a directory cannot be listed.
    public func forEachKey(_ body: (CacheKey) -> Bool) throws(WebImageError) {
        try forEachEntry { $0.key.isPicture ? body($0.key) : true }
    }

    /// Reads every entry and reports what is damaged, left over or foreign. Ends early in a cancelled task.
    ///
    /// - Parameters:
    ///   - repairing: Whether to remove what is damaged or left over, and to rebuild the index. Default false.
    ///   - report: Gets each problem as it is found.
    /// - Throws: An error with stage ``WebImageError/Stage/disk`` when a directory cannot be listed.
    package func verify(
        repairing: Bool = false, report: (DiskCacheProblem) -> Void = { _ in }
    ) throws(WebImageError) -> DiskCacheVerification {
        var verification = DiskCacheVerification()
        func check(_ item: DiskDirectory.Item) {
            switch inspect(item) {
            case .absent: break
            case .whole(let byteCount):
                verification.entryCount += 1
                verification.byteCount += byteCount
            case .wrong(let kind, let file):
                let isRemoved = repairing && remove(item, kind, ifStill: file)
                verification.problemCount += 1
                verification.removedCount += isRemoved ? 1 : 0
                report(DiskCacheProblem(kind: kind, path: item.path, isRemoved: isRemoved))
            }
        }
        if let obstacle = files.obstacle {
            check(obstacle)
        } else {
            try forEachItem { item throws(FileSystemError) in
                check(item)
                return !Task.isCancelled
            }
        }
        if repairing { index.distrust() }
        return verification
    }

    private enum Finding {
        /// Removed, or not written yet.
        case absent
        case whole(byteCount: Int)
        case wrong(DiskCacheProblem.Kind, FileStatus?)
    }

    private func inspect(_ item: DiskDirectory.Item) -> Finding {
        switch item.role {
        case .unfinished: .absent
        case .leftOver: .wrong(.leftOver, nil)
        case .obstacle: .wrong(.obstacle, nil)
        case .foreign: .wrong(.foreign, nil)
        case .entry(let name): inspect(name)
        }
    }

    private func inspect(_ name: DiskEntryName) -> Finding {
        do {
            guard let file = try files.read(name) else { return .absent }
            return DiskEntryFormat.isWhole(file, named: name)
                ? .whole(byteCount: file.count) : .wrong(.damaged, file.status)
        } catch {
            return .wrong(error.meansNotAnEntry ? .damaged : .unreadable, nil)
        }
    }

    /// - Returns: Whether the file is removed.
    private func remove(_ item: DiskDirectory.Item, _ kind: DiskCacheProblem.Kind, ifStill file: FileStatus?) -> Bool {
        switch (item.role, kind) {
        case (.entry(let name), .damaged): remove(name, ifStill: file)
        case (.leftOver, _): (try? files.fileSystem.remove(item.path)) != nil
        case (.obstacle, _): (try? removeObstacle(item.path)) != nil
        default: false
        }
    }

    /// A directory with files stays: they are not the cache's.
    private func removeObstacle(_ path: String) throws(FileSystemError) {
        do { try files.fileSystem.remove(path) } catch let error where error.meansDirectory {
            try files.fileSystem.removeDirectory(path)
        }
    }

    private func forEachItem(_ body: (DiskDirectory.Item) throws(FileSystemError) -> Bool) throws(WebImageError) {
        do { try files.forEachItem(now: FileTime(now()), body) } catch { throw error.webImageError(stage: .disk) }
    }
}
