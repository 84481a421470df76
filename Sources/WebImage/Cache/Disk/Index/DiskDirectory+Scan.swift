import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Finding out what is there by looking at all files.
extension DiskDirectory {
    private struct Entry {
        let name: DiskEntryName
        let record: IndexRecord
        /// What the entries are ordered by, as fine as the file system has it.
        let time: FileTime
    }

    /// All entries, and whether files were seen that somebody may be about to write. Files that a crash left half written
    /// are removed. A directory that cannot be read counts as empty.
    ///
    /// - Parameters:
    ///   - known: What the index knew; files do not say when an entry was first stored, nor when it was last read if that
    ///     was not long ago.
    ///   - isBrokenOff: Asked before each directory.
    /// - Returns: nil when it was broken off, or the system ran short of what it takes.
    func scan(
        known: EntryTable, now: FileTime, _ isBrokenOff: @Sendable () -> Bool
    ) -> (table: EntryTable, hasLeftOvers: Bool)? {
        guard let numbers = try? numbers().keys.sorted() else { return nil }
        let found = Mutex<(entries: [Entry], hasLeftOvers: Bool)>(([], false))
        let isShort = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: Self.scannerCount) { scanner in
            var own: (entries: [Entry], hasLeftOvers: Bool) = ([], false)
            for number in numbers where Int(number) % Self.scannerCount == scanner {
                if isBrokenOff() || isShort.load(ordering: .relaxed) { return }
                // Where many are changed meanwhile, a file system may name one twice.
                var seen: Set<DiskEntryName> = []
                let isLeftOver = try? forEachEntry(in: number, now: now) { name, status in
                    guard seen.insert(name).inserted else { return }
                    own.entries.append(entry(name, status, known: known[name], order: known.order, now: now))
                }
                if isLeftOver == nil { isShort.store(true, ordering: .relaxed) }
                own.hasLeftOvers = own.hasLeftOvers || isLeftOver == true
            }
            let (entries, hasLeftOvers) = own
            found.withLock { found in
                found.entries += entries
                found.hasLeftOvers = found.hasLeftOvers || hasLeftOvers
            }
        }
        if isBrokenOff() || isShort.load(ordering: .relaxed) { return nil }
        let (entries, hasLeftOvers) = found.withLock { $0 }
        let table = EntryTable(order: known.order, unordered: entries, item: { ($0.name, $0.record) }, time: \.time)
        return (table, hasLeftOvers)
    }

    /// The kernel answers two at nearly twice the speed of one; more would be in everybody's way.
    private static let scannerCount = 2

    /// Looks at the files of those directories that were changed at `time` or later, by somebody who told nobody. Where
    /// `time` is yet to come, since the clock was set back, that may be any of them.
    ///
    /// - Returns: Whether files were seen that somebody may be about to write.
    /// - Throws: What the system ran short of; the table is as it was.
    func refresh(_ table: inout EntryTable, since time: FileTime, now: FileTime) throws(FileSystemError) -> Bool {
        var hasLeftOvers = false
        let numbers = try self.numbers()
        // Files may be dated by another clock, which need not agree to the second.
        let isAhead = time > now.before(-60)
        let isSuspicious = (0...UInt8.max).map { number in isAhead || numbers[number].map { $0 >= time } ?? true }
        guard isSuspicious.contains(true) else { return false }
        var refreshed = table
        var missing: Set<DiskEntryName> = []
        table.forEach { if isSuspicious[Int($0.name.directory)] { missing.insert($0.name) } }
        for number in numbers.keys where isSuspicious[Int(number)] {
            var changed: [(DiskEntryName, FileStatus)] = []
            let isLeftOver = try forEachEntry(in: number, now: now) { name, status in
                missing.remove(name)
                if table[name]?.size != IndexRecord(status, now: now).size { changed.append((name, status)) }
                if status.modified > time { refreshed.forgetExpiry(of: name, ifWrittenSince: status) }
            }
            for (name, status) in changed {
                refreshed.insert(record(of: name, status, order: table.order, now: now).record, for: name)
            }
            hasLeftOvers = hasLeftOvers || isLeftOver
        }
        for name in missing { refreshed.remove(name) }
        table = refreshed
        return hasLeftOvers
    }

    private func entry(
        _ name: DiskEntryName, _ status: FileStatus, known: IndexRecord?, order: DiskCacheExpireType, now: FileTime
    ) -> Entry {
        guard var record = known, record.size == IndexRecord(status, now: now).size else {
            let (record, time) = record(of: name, status, order: order, now: now)
            return entry(name, record, order, time: time)
        }
        record.used = max(IndexRecord(status, now: now).used, min(record.used, IndexDate(now)))
        record.forgetExpiry(ifWrittenSince: status)
        return entry(name, record, order, time: status[order])
    }

    private func entry(
        _ name: DiskEntryName, _ record: IndexRecord, _ order: DiskCacheExpireType, time: FileTime
    ) -> Entry {
        let isExact = IndexDate(time) == record[order]
        return Entry(name: name, record: record, time: isExact ? time : record[order].time)
    }

    /// What the index is to know of a file that it knows nothing of, and what it is ordered by. When an entry was first
    /// stored, only the file itself says: it is read where that matters.
    func record(
        of name: DiskEntryName, _ status: FileStatus, order: DiskCacheExpireType, now: FileTime
    ) -> (record: IndexRecord, time: FileTime) {
        var record = IndexRecord(status, now: now)
        guard order == .creationDate else { return (record, status[order]) }
        guard let summary = (try? self.summary(of: name)) ?? nil else {
            record.created = record.modified
            return (record, status[order])
        }
        let time = min(FileTime(summary.createdAt), now)
        record.created = IndexDate(time)
        record.expiry = summary.expiry
        return (record, time)
    }

    /// The names of all entries, but for those that could not be looked at, with the first error. Files that a crash left half
    /// written are removed, and a directory that cannot be read counts as empty.
    func names(now: FileTime) -> (names: Set<DiskEntryName>, failure: FileSystemError?) {
        var (names, failure): (Set<DiskEntryName>, FileSystemError?) = ([], nil)
        do throws(FileSystemError) {
            for number in try numbers().keys.sorted() {
                do throws(FileSystemError) {
                    _ = try forEachEntry(in: number, now: now) { name, _ in names.insert(name) }
                } catch {
                    failure = failure ?? error
                }
            }
        } catch {
            failure = error
        }
        return (names, failure)
    }

    /// Whether there are entries, or could be.
    var isThere: Bool { (try? fileSystem.status(of: root))?.kind == .directory }

    /// The directories of entries, with the time of each one's last change.
    private func numbers() throws(FileSystemError) -> [UInt8: FileTime] {
        guard isThere else { return [:] }
        var numbers: [UInt8: FileTime] = [:]
        try forEachItem(ofReadable: root) { name, status in
            let text = name.text(in: 0..<name.byteCount)
            guard status.kind == .directory, let number = Self.number(of: text) else { return }
            numbers[number] = status.modified
        }
        return numbers
    }

    /// - Returns: Whether there are files that somebody may be about to write.
    private func forEachEntry(
        in number: UInt8, now: FileTime, _ body: (DiskEntryName, FileStatus) -> Void
    ) throws(FileSystemError) -> Bool {
        var leftOvers: [(name: String, status: FileStatus)] = []
        try forEachItem(ofReadable: path(of: number)) { bytes, status in
            guard status.kind == .file else { return }
            if let name = DiskEntryName(digits: bytes) {
                if name.directory == number { body(name, status) }
            } else if TemporaryName.matches(bytes.text(in: 0..<bytes.byteCount)) {
                leftOvers.append((bytes.text(in: 0..<bytes.byteCount), status))
            }
        }
        for (name, status) in leftOvers where Self.isLeftOver(status, now: now) {
            try? fileSystem.remove("\(path(of: number))/\(name)")
        }
        return leftOvers.contains { !Self.isLeftOver($0.status, now: now) }
    }

    /// A directory that cannot be read counts as empty, but not because the program has too many files open just now.
    private func forEachItem(
        ofReadable directory: String, _ body: (RawSpan, FileStatus) -> Void
    ) throws(FileSystemError) {
        do { try fileSystem.forEachItem(of: directory, body) } catch let error where !error.meansShortage {}
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

extension IndexRecord {
    /// An entry that is stored anew may be as large as before, and end otherwise.
    fileprivate mutating func forgetExpiry(ifWrittenSince status: FileStatus) {
        if modified != IndexDate(status.modified) { expiry = .unknown }
    }
}

extension EntryTable {
    /// The file is asked again when it matters whether an entry has come to its end.
    fileprivate mutating func forgetExpiry(of name: DiskEntryName, ifWrittenSince status: FileStatus) {
        guard var record = self[name], record.expiry != .unknown else { return }
        record.forgetExpiry(ifWrittenSince: status)
        update(record, for: name)
    }
}
