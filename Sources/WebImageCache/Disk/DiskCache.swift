import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import WebImageCore

/// Bytes on disk, by key: one self-contained file per entry.
///
/// Each file is checked when it is read. A damaged file is removed and counts as no entry, so that an entry is exactly
/// what was stored, even after a crash or a power loss. Any number of processes may use a directory; no process waits
/// for another. The first process owns the directory: it keeps totals and the order of use in memory, lists at its
/// start only the directories that have changed since the last owner, and evicts. The other processes have no index:
/// their ``usage()`` lists all directories, and they evict only on demand.
///
/// Calls block while they read or write; any thread.
public final class DiskCache: DiskCaching {
    /// The directory of the entries.
    public let directory: String
    private let changeableLimits: Mutex<DiskCacheLimits>
    /// The most bytes of an entry's body; nil for no limit.
    package let largestBody: Int?
    let evictsAutomatically: Bool
    /// Whether entries that are due for removal by their age count as none.
    let ignoresExpired: Bool
    let files: DiskDirectory
    let index: DiskIndex
    let now: @Sendable () -> Date
    /// Runs the listing of directories, evictions and access times, one after the other.
    let maintenance: MaintenanceQueue
    let isMaintenanceDue = Atomic<Bool>(false)
    let isMaintenancePlanned = Atomic<Bool>(false)
    let isRetryPlanned = Atomic<Bool>(false)

    let troubles: DiskTroubles

    /// A cache of the files in `directory`. The first store creates the directory when it does not exist.
    ///
    /// - Parameter config: ``ImageCacheConfig/maxDiskAge`` and the other settings of the disk.
    public convenience init(directory: String, config: ImageCacheConfig = ImageCacheConfig()) {
        self.init(directory: directory, config: config, fileSystem: POSIXFileSystem())
    }

    package init(
        directory: String, config: ImageCacheConfig = ImageCacheConfig(), fileSystem: any FileSystem,
        now: @escaping @Sendable () -> Date = { Date() },
        warn: @escaping @Sendable (String) -> Void = { WebImageLog.warn($0) },
        later: (@Sendable (_ milliseconds: Int, _ job: @escaping @Sendable () -> Void) -> Void)? = nil
    ) {
        self.directory = directory
        changeableLimits = Mutex(
            DiskCacheLimits(age: config.maxDiskAge, size: config.maxDiskSize, count: config.maxDiskCount))
        largestBody = config.maxDiskEntrySize
        evictsAutomatically = config.shouldRemoveExpiredDataAutomatically
        ignoresExpired = config.shouldIgnoreExpiredData
        self.now = now
        maintenance = MaintenanceQueue(timer: later ?? MaintenanceQueue.dispatchTimer)
        let troubles = DiskTroubles(warn: warn)
        self.troubles = troubles
        files = DiskDirectory(directory, fileSystem: fileSystem)
        index = DiskIndex(of: files, order: config.diskCacheExpireType, now: { FileTime(now()) })
    }

    /// The limits now.
    package var limits: DiskCacheLimits { changeableLimits.withLock { $0 } }

    /// Takes new limits: bytes, entries, and the time until an entry expires; nil for no limit. An eviction follows in
    /// the background, where ``ImageCacheConfig/shouldRemoveExpiredDataAutomatically`` is true.
    public func setLimits(size: Int?, count: Int?, age: Duration?) {
        changeableLimits.withLock { $0 = DiskCacheLimits(age: age, size: size, count: count) }
        index.forgetEviction()
        scheduleMaintenance()
    }

    deinit {
        let times = index.order == .changeDate ? [] : index.takeUses()
        if !times.isEmpty { maintenance.async { [files] in files.setAccessTimes(times) } }
        // If there is nothing to save, ownership is free for the next cache of the directory at once.
        guard index.isLastSnapshotDue else { return index.close() }
        maintenance.async { [index] in index.close() }
    }

    /// Whether there is an entry that has not expired. Reads the beginning of its file, so that entries of other
    /// processes count.
    public func contains(_ key: CacheKey) -> Bool {
        defer { endCall() }
        let name = DiskEntryName(key)
        return (try? files.contains(key, name, at: now()) { !isTooOld(name, $0, created: $1) }) ?? false
    }

    /// Whether there is a file for `key`, whatever it contains.
    public func mayContain(_ key: CacheKey) -> Bool {
        let name = DiskEntryName(key)
        do {
            if try files.status(of: name) != nil { return true }
        } catch {
            // The read reports the error.
            return true
        }
        defer { endCall() }
        forget(name)
        return false
    }

    /// Reads an entry, checks it, and counts it as used; nil when there is none, or only one that has expired
    /// (``DiskCacheEntry/expiresAt``) or is damaged, which is removed.
    ///
    /// - Throws: An error with stage ``WebImageError/Stage/disk`` when a file exists and cannot be read.
    public func entry(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? {
        let name = DiskEntryName(key)
        // Entries expire in a process that only reads, too.
        defer { endCall() }
        do {
            guard let file = try files.read(name) else {
                forget(name)
                return nil
            }
            return entry(in: file, named: name, for: key)
        } catch {
            guard error.meansNotAnEntry else { throw troubles.tell(error, stage: .disk) }
            troubles.tellDamage(at: error.path)
            discard(name, ifStill: nil)
            return nil
        }
    }

    private func entry(in file: FileBytes, named name: DiskEntryName, for key: CacheKey) -> DiskCacheEntry? {
        let time = now()
        guard let entry = DiskEntryFormat.entry(in: file, for: key) else {
            if !DiskEntryFormat.isOfOtherVersion(file) { troubles.tellDamage(at: files.path(of: name)) }
            discard(name, ifStill: file.status)
            return nil
        }
        if entry.expiresAt.map({ $0 <= time }) ?? false || isTooOld(name, file.status, created: entry.createdAt) {
            discard(name, ifStill: file.status)
            return nil
        }
        touch(name, file.status, at: FileTime(time))
        return entry
    }

    /// Writes an entry, and replaces any other under that key: readers see the old one or the new one, never a part.
    ///
    /// - Throws: ``WebImageError/Code/diskFull``, ``WebImageError/Code/accessDenied``,
    ///   ``WebImageError/Code/fileFailed``, or ``WebImageError/Code/limitExceeded`` for more than 2 GiB. Then the old
    ///   entry stays, and no partial file is left. ``WebImageError/Code/limitExceeded`` also for more than
    ///   ``ImageCacheConfig/maxDiskEntrySize``; then there is no entry any more.
    public func store(_ entry: DiskCacheEntry, for key: CacheKey) throws(WebImageError) {
        if let largestBody, entry.data.count > largestBody {
            // The stored entry is older than the picture that has just been loaded.
            try remove(for: key)
            throw troubles.tellOfLargeEntry(key, entry.data.count, limit: largestBody)
        }
        let name = DiskEntryName(key)
        let time = FileTime(now())
        let first = firstDate(of: name)
        let createdAt = first.map { min(entry.createdAt, $0) } ?? entry.createdAt
        let header = try DiskEntryFormat.header(for: entry, createdAt: createdAt, key: key)
        var record = IndexRecord(size: header.count + entry.data.count, writtenAt: time)
        if let first { record.created = min(record.created, IndexDate(FileTime(first))) }
        defer { endCall() }
        do {
            if index.isUndecided { try files.makeRoot() }
            try index.changing(name) { () throws(FileSystemError) in
                let isWhole = try files.write([header, entry.data], as: name, isThere: index[name] != nil)
                if !isWhole { index.distrust() }
                index.insert(record, for: name)
            }
        } catch {
            throw troubles.tell(error, stage: .store)
        }
        if isEvictionDue(at: time) { scheduleMaintenance() }
    }

    /// When an entry of this name was first stored, which the caller may not know. The index knows that of files that
    /// this process has stored; of other files the file itself says it. Where entries are not evicted in that order, a
    /// file that another process has stored since the last listing is not read: its entry counts as new.
    private func firstDate(of name: DiskEntryName) -> Date? {
        let known = index[name]?.created
        if let known, known.isKnown { return Date(known.time) }
        guard known != nil || !index.isComplete || index.order == .creationDate else { return nil }
        return ((try? files.summary(of: name)) ?? nil)?.createdAt
    }

    /// Removes an entry, whichever process has stored it; does nothing when there is none.
    ///
    /// - Throws: An error with stage ``WebImageError/Stage/store`` when the file cannot be removed; then the entry stays.
    public func remove(for key: CacheKey) throws(WebImageError) {
        defer { endCall() }
        do {
            try remove(DiskEntryName(key))
            let tileIndex = DiskEntryName(key.ofTileIndex)
            if index[tileIndex] != nil { try remove(tileIndex) }
        } catch {
            throw troubles.tell(error, stage: .store)
        }
    }

    /// Removes all entries, and no files of others.
    ///
    /// - Throws: The first error; all other entries are removed nevertheless.
    public func removeAll() throws(WebImageError) {
        defer { endCall() }
        let (names, unlisted) = files.names()
        var failure = unlisted
        var seen = DiskDirectory.SeenDirectories()
        for name in names {
            do throws(FileSystemError) {
                try index.changing(name, isOneOfMany: true) { () throws(FileSystemError) in
                    try files.remove(name, seen: &seen)
                    index.remove(name)
                }
            } catch {
                failure = failure ?? error
            }
        }
        // The index may know entries that were removed by other means. A guest leaves its mark.
        index.distrust()
        if let failure { throw troubles.tell(failure, stage: .store) }
    }

    func remove(_ name: DiskEntryName) throws(FileSystemError) {
        try index.changing(name) { () throws(FileSystemError) in
            try files.remove(name)
            index.remove(name)
        }
    }

    /// The file was missing: removes it from the index, unless it was written since.
    private func forget(_ name: DiskEntryName) {
        if index[name] != nil { index.look(at: name, isUsed: false) }
    }

    /// Removes a file that counts as no entry, unless another file has replaced it since.
    ///
    /// - Returns: Whether the file is removed.
    func remove(_ name: DiskEntryName, ifStill file: FileStatus?) -> Bool {
        index.changing(name) { removeNow(name, ifStill: file) }
    }

    /// The same for a read, which waits for no store: then the next read removes the file.
    private func discard(_ name: DiskEntryName, ifStill file: FileStatus?) {
        index.changingIfFree(name) { _ = removeNow(name, ifStill: file) }
    }

    private func removeNow(_ name: DiskEntryName, ifStill file: FileStatus?) -> Bool {
        guard let status = try? files.status(of: name), file.map(status.isSameFile) ?? true,
            (try? files.remove(name)) != nil
        else { return false }
        index.remove(name)
        return true
    }

    private func touch(_ name: DiskEntryName, _ status: FileStatus, at time: FileTime) {
        switch index.use(name, status: status, at: time) {
        case .waits(let count): scheduleAccessTimes(unsaved: count)
        case .isUnknown: index.look(at: name, isUsed: true)
        }
    }
}

extension FileSystemError {
    /// The path leads to something other than a file (a link, a pipe, a socket), or to a file larger than any entry.
    var meansNotAnEntry: Bool { operation == .read && [ELOOP, EINVAL, ENXIO, EFBIG].contains(code) }
}

extension FileStatus {
    /// The inode alone does not tell: the file system reuses a free inode at once.
    fileprivate func isSameFile(as other: FileStatus) -> Bool {
        (inode, size, modified) == (other.inode, other.size, other.modified)
    }
}
