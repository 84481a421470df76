import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import WebImageCore

/// Lists directories for the index.
extension DiskDirectory {
    /// The contents of some of the 256 directories.
    struct Listing {
        struct Entry {
            let name: DiskEntryName
            let record: IndexRecord
            /// The time that orders the entries, at the precision of the file system.
            let time: FileTime
        }

        var entries: [Entry] = []
        /// The directories with files that may still be written: they are listed again, so that a partial file of a
        /// crashed writer is found and removed.
        var unsettled: Set<UInt8> = []
    }

    /// Lists some of the directories, two at a time: the kernel answers two threads at nearly twice the speed of one,
    /// and more would slow the program down. Removes partial files that a crash has left; a directory without read
    /// permission counts as empty.
    ///
    /// - Parameters:
    ///   - known: The entries as known before: the status of a file says neither when its entry was first stored, nor
    ///     when it was read, if that was recent.
    ///   - isBrokenOff: Called before each directory.
    /// - Returns: nil when it was broken off.
    /// - Throws: The first error where the system is short of files or memory.
    func listing(
        of numbers: [UInt8], known: EntryTable, now: FileTime, _ isBrokenOff: @Sendable () -> Bool
    ) throws(FileSystemError) -> Listing? {
        let found = Mutex(Listing())
        let shortage = Mutex<FileSystemError?>(nil)
        let workerCount = min(2, numbers.count)
        DispatchQueue.concurrentPerform(iterations: workerCount) { worker in
            var own = Listing()
            for index in stride(from: worker, to: numbers.count, by: workerCount) {
                if isBrokenOff() || shortage.withLock({ $0 != nil }) { return }
                do throws(FileSystemError) { try list(numbers[index], known: known, now: now, into: &own) } catch {
                    shortage.withLock { $0 = $0 ?? error }
                }
            }
            let listing = own
            found.withLock { found in
                found.entries += listing.entries
                found.unsettled.formUnion(listing.unsettled)
            }
        }
        if let shortage = shortage.withLock({ $0 }) { throw shortage }
        return isBrokenOff() ? nil : found.withLock { $0 }
    }

    private func list(
        _ number: UInt8, known: EntryTable, now: FileTime, into listing: inout Listing
    ) throws(FileSystemError) {
        // A file system may list a file twice while many files of the directory change.
        var seen: Set<DiskEntryName> = []
        let isSettled = try forEachEntry(in: number, now: now) { name, status in
            guard seen.insert(name).inserted else { return }
            listing.entries.append(entry(name, status, known: known[name], order: known.order, now: now))
        }
        if !isSettled { listing.unsettled.insert(number) }
    }

    private func entry(
        _ name: DiskEntryName, _ status: FileStatus, known: IndexRecord?, order: DiskCacheExpireType, now: FileTime
    ) -> Listing.Entry {
        let (record, time) = record(of: name, status, known: known, order: order, now: now)
        let isExact = IndexDate(time) == record[order]
        return Listing.Entry(name: name, record: record, time: isExact ? time : record[order].time)
    }

    /// The index's record of a file, and the time that orders it. Only the file's header says when an entry was first
    /// stored: it is read where the order depends on it.
    func record(
        of name: DiskEntryName, _ status: FileStatus, known: IndexRecord?, order: DiskCacheExpireType, now: FileTime
    ) -> (record: IndexRecord, time: FileTime) {
        var record = IndexRecord(status, now: now)
        if let known, known.size == record.size { return (known.updated(by: record), status[order]) }
        guard order == .creationDate else { return (record.keepingCreation(of: known), status[order]) }
        guard let summary = (try? self.summary(of: name)) ?? nil else {
            record.created = record.modified
            return (record, status[order])
        }
        let time = min(FileTime(summary.createdAt), now)
        record.created = IndexDate(time)
        return (record, time)
    }

    /// The stamps of the directories as they are now. A snapshot that a crash left half written is removed.
    func stamps(now: FileTime) throws(FileSystemError) -> DirectoryStamps {
        var stamps = DirectoryStamps()
        guard isThere else { return stamps }
        var leftOvers: [String] = []
        try forEachItem(ofReadable: root) { bytes, status in
            let name = bytes.text(in: 0..<bytes.byteCount)
            if status.kind == .directory, let number = Self.number(of: name) {
                stamps[number] = DirectoryStamp(status)
            } else if TemporaryName.matches(name), Self.isLeftOver(status, now: now) {
                leftOvers.append(name)
            }
        }
        for name in leftOvers { try? fileSystem.remove("\(root)/\(name)") }
        return stamps
    }

    /// Whether the directory of all entries exists.
    var isThere: Bool { (try? fileSystem.status(of: root))?.kind == .directory }

    /// - Returns: Whether the directory could be listed, and has no file that may still be written.
    private func forEachEntry(
        in number: UInt8, now: FileTime, _ body: (DiskEntryName, FileStatus) -> Void
    ) throws(FileSystemError) -> Bool {
        var temporary: [(name: String, status: FileStatus)] = []
        let isListed = try forEachItem(ofReadable: path(of: number)) { bytes, status in
            guard status.kind == .file else { return }
            if let name = DiskEntryName(digits: bytes) {
                if name.directory == number { body(name, status) }
            } else if TemporaryName.matches(bytes.text(in: 0..<bytes.byteCount)) {
                temporary.append((bytes.text(in: 0..<bytes.byteCount), status))
            }
        }
        for (name, status) in temporary where Self.isLeftOver(status, now: now) {
            try? fileSystem.remove("\(path(of: number))/\(name)")
        }
        return isListed && temporary.allSatisfy { Self.isLeftOver($0.status, now: now) }
    }

    /// A directory that may not be read counts as empty; one that cannot be read because the program has too many files
    /// open, say, does not.
    ///
    /// - Returns: Whether it could be read.
    @discardableResult
    private func forEachItem(
        ofReadable directory: String, _ body: (RawSpan, FileStatus) -> Void
    ) throws(FileSystemError) -> Bool {
        do {
            try fileSystem.forEachItem(of: directory, body)
            return true
        } catch let error where !error.meansShortage {
            return error.isNotFound
        }
    }
}

extension FileSystemError {
    /// Whether the system was short of a resource that it may have at the next try.
    fileprivate var meansShortage: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }
}

extension FileStatus {
    /// The date that orders entries, from the status of the file.
    fileprivate subscript(type: DiskCacheExpireType) -> FileTime {
        switch type {
        case .accessDate: max(accessed, modified)
        case .modificationDate, .creationDate: modified
        case .changeDate: changed
        }
    }
}

extension EntryTable {
    /// The table after a listing of some directories.
    ///
    /// - Parameter numbers: The directories that were listed, or are removed.
    func updated(by listing: DiskDirectory.Listing, of numbers: [UInt8]) -> EntryTable {
        guard !numbers.isEmpty else { return self }
        let isListed = numbers.reduce(into: [Bool](repeating: false, count: 256)) { $0[Int($1)] = true }
        var others: [Item] = []
        var missing: Set<DiskEntryName> = []
        let isMostlyListed = listing.entries.count > count / 2
        forEach { item in
            if isListed[Int(item.name.directory)] {
                if !isMostlyListed { missing.insert(item.name) }
            } else if isMostlyListed {
                others.append(item)
            }
        }
        return isMostlyListed ? remade(of: others, listing) : changed(by: listing, missing)
    }

    /// Sorts all entries: where most of them are listed, that takes no longer than sorting the changed ones.
    private func remade(of others: [Item], _ listing: DiskDirectory.Listing) -> EntryTable {
        let entries =
            listing.entries
            + others.map { DiskDirectory.Listing.Entry(name: $0.name, record: $0.record, time: $0.record[order].time) }
        return EntryTable(order: order, unordered: entries, item: { ($0.name, $0.record) }, time: \.time)
    }

    private func changed(by listing: DiskDirectory.Listing, _ known: Set<DiskEntryName>) -> EntryTable {
        var (table, missing) = (self, known)
        for entry in listing.entries.sorted(by: { $0.time < $1.time }) {
            missing.remove(entry.name)
            if table[entry.name] != entry.record { table.insert(entry.record, for: entry.name) }
        }
        for name in missing { table.remove(name) }
        return table
    }
}
