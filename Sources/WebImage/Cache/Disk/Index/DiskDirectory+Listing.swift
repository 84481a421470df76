import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Finding out what is there by listing directories.
extension DiskDirectory {
    /// What some of the 256 directories hold.
    struct Listing {
        struct Entry {
            let name: DiskEntryName
            let record: IndexRecord
            /// What the entries are ordered by, as fine as the file system has it.
            let time: FileTime
        }

        var entries: [Entry] = []
        /// The directories with files that may still be written: they are listed again before a crash can leave one there.
        var unsettled: Set<UInt8> = []
    }

    /// Lists some of the directories, two at a time: the kernel answers two threads at nearly twice the speed of one, and
    /// more would slow the program down. Files that a crash left half written are removed; a directory that may not be read
    /// counts as empty.
    ///
    /// - Parameters:
    ///   - known: Files say neither when an entry was first stored nor when it was last read if that was not long ago.
    ///   - isBrokenOff: Asked before each directory.
    /// - Returns: nil when it was broken off, or when the system ran short of what it takes.
    func listing(
        of numbers: [UInt8], known: EntryTable, now: FileTime, _ isBrokenOff: @Sendable () -> Bool
    ) -> Listing? {
        let found = Mutex(Listing())
        let isShort = Atomic(false)
        let workerCount = min(2, numbers.count)
        DispatchQueue.concurrentPerform(iterations: workerCount) { worker in
            var own = Listing()
            for index in stride(from: worker, to: numbers.count, by: workerCount) {
                if isBrokenOff() || isShort.load(ordering: .relaxed) { return }
                do { try list(numbers[index], known: known, now: now, into: &own) } catch {
                    isShort.store(true, ordering: .relaxed)
                }
            }
            let listing = own
            found.withLock { found in
                found.entries += listing.entries
                found.unsettled.formUnion(listing.unsettled)
            }
        }
        return isBrokenOff() || isShort.load(ordering: .relaxed) ? nil : found.withLock { $0 }
    }

    private func list(
        _ number: UInt8, known: EntryTable, now: FileTime, into listing: inout Listing
    ) throws(FileSystemError) {
        // Where many files change meanwhile, a file system may name one of them twice.
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

    /// What the index is to know of a file, and what orders it. When an entry was first stored, only the file itself says:
    /// it is read where that matters.
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

    /// What the directories look like now. A snapshot that a crash left half written is removed.
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

    /// Whether there are entries, or could be.
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
    /// Whether there may be enough of what the system has run short of the next time.
    fileprivate var meansShortage: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }
}

extension FileStatus {
    /// The date that orders entries, as far as the file system knows it.
    fileprivate subscript(type: DiskCacheExpireType) -> FileTime {
        switch type {
        case .accessDate: max(accessed, modified)
        case .modificationDate, .creationDate: modified
        case .changeDate: changed
        }
    }
}

extension EntryTable {
    /// What is there after a look at some directories.
    ///
    /// - Parameter numbers: The directories that were listed, or are gone.
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

    /// Sorts everything, which takes as long as sorting what has changed where that is most of it.
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
