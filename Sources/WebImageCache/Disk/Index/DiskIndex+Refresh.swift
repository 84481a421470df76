import Synchronization
import WebImageCore

/// Reads the snapshot, lists directories, and writes a new snapshot. One thread at a time.
extension DiskIndex {
    /// The caller's tasks after a refresh.
    struct Refreshed {
        /// Whether to try again later.
        var isIncomplete = false
        /// Why directories could not be listed: the system was short of files or memory.
        var shortage: FileSystemError?
        /// A warning for the app, to be logged when no lock is held.
        var warning: (message: String, error: FileSystemError?)?
    }

    /// Brings the table up to date: always as the owner, and as a guest for a caller that waits for totals.
    ///
    /// - Parameters:
    ///   - isAsked: Whether a caller waits for totals; then a guest lists all directories.
    ///   - isBrokenOff: Called repeatedly; once it returns true, the rest is left to the next call.
    func refresh(isAsked: Bool = false, isBrokenOff: @Sendable () -> Bool = { false }) -> Refreshed {
        resignIfReplaced()
        claim(isRepeated: true)
        needsRefresh.store(false, ordering: .relaxed)
        let time = now()
        state.withLock { $0.lastRefresh = time }
        let isOwner = state.withLock { $0.ownerLock != nil }
        guard isOwner || isAsked else { return Refreshed(warning: claimWarning) }
        var refreshed = Refreshed(warning: claimWarning)
        if isOwner { refreshed.warning = load() ?? refreshed.warning }
        do throws(FileSystemError) { refreshed.isIncomplete = !(try look(isAsked: isAsked, isBrokenOff)) } catch {
            (refreshed.isIncomplete, refreshed.shortage) = (true, error)
        }
        if isBrokenOff() { needsRefresh.store(true, ordering: .relaxed) }
        if isOwner, state.withLock({ $0.isSnapshotDue }) { refreshed.warning = save() ?? refreshed.warning }
        return refreshed
    }

    /// A guest's totals become stale at once, since it does not learn of changes by others.
    func forgetIfGuest() {
        state.withLock { if $0.ownerLock == nil { $0.forgetAll() } }
    }

    /// Whether a last snapshot saves more time than it takes.
    var isLastSnapshotDue: Bool { state.withLock { $0.isLastSnapshotDue } }

    /// Writes a last snapshot where that is due, and gives up ownership for the next process.
    func close() {
        resignIfReplaced()
        if isLastSnapshotDue { _ = save() }
        let former = state.withLock { state in
            let lock = state.ownerLock
            state.role = .guest
            // The next owner's changes are not in the table.
            state.forgetAll()
            return lock
        }
        withExtendedLifetime(former) {}
    }

    // MARK: The snapshot

    /// Reads the last owner's snapshot. It is valid for the directories that have the same stamps as in it.
    private func load() -> (String, FileSystemError?)? {
        guard !state.withLock({ $0.isLoaded }) else { return nil }
        switch (try? files.readSnapshot()) ?? .none {
        case .whole(let table, let stamps):
            // A table of another order has no dates of creation.
            let isUsable = table.order == order || order != .creationDate
            let known = isUsable && table.order != order ? EntryTable(order: order, table) : table
            state.withLock { $0.load(isUsable ? known : nil, stamps) }
        case .none:
            state.withLock { $0.load(nil, DirectoryStamps()) }
        case .damaged:
            files.removeSnapshot()
            state.withLock { $0.load(nil, DirectoryStamps()) }
            return ("the index of the disk cache in \(directory.cache) is damaged and is rebuilt", nil)
        }
        return nil
    }

    private func save() -> (String, FileSystemError?)? {
        let (table, stamps, count) = state.withLock { ($0.table, $0.stamps, $0.unsavedCount) }
        do throws(FileSystemError) {
            try files.writeSnapshot(table, stamps)
            state.withLock { $0.unsavedCount -= min(count, $0.unsavedCount) }
            return nil
        } catch {
            // The next try comes after as many changes as for a new snapshot.
            state.withLock { $0.unsavedCount = 1 }
            return ("the index of the disk cache is not saved: \(error.webImageError(stage: .store).reason)", error)
        }
    }

    // MARK: Listing

    /// Lists the dirty directories. Changes that this process makes meanwhile take precedence over the listing.
    ///
    /// - Returns: False when the table or the stamps were discarded during the listing.
    /// - Throws: When the system was short of a resource.
    private func look(isAsked: Bool, _ isBrokenOff: @Sendable () -> Bool) throws(FileSystemError) -> Bool {
        // Read before the directories: a mark that is left later leads to another look. A stamp counts only where its
        // directory had not changed for a while at this time.
        let mark = files.mark
        let lock = state.withLock { $0.ownerLock }
        guard let look = state.withLock({ $0.beginLook(mark, isAsked: isAsked) }) else { return true }
        let time = lock.flatMap { try? $0.fileSystemTime() } ?? FileTime(nanoseconds: .min)
        let current = try directory.stamps(now: now())
        let dirty = look.stamps.dirty(now: current)
        let listing = try directory.listing(
            of: dirty.filter { current[$0] != nil }, known: look.known, now: now(), isBrokenOff)
        // A look that is broken off is due again.
        guard let listing else { return true }
        let table = look.known.updated(by: listing, of: dirty)
        return state.withLock { state in
            // The table or the stamps were discarded during the listing: the next refresh lists again.
            guard state.generation == look.generation else { return false }
            let changed = Set(state.recent?.changed.map(\.directory) ?? [])
            state.publish(table, listedCount: listing.entries.count)
            // Another process may have replaced a file that this process has changed meanwhile.
            state.stamps = current.settled(at: time, without: listing.unsettled.union(changed))
            state.mark = mark
            return true
        }
    }
}

/// The state at the beginning of a listing.
private struct Look {
    let known: EntryTable
    let stamps: DirectoryStamps
    let generation: Int
}

extension DiskIndex.State {
    /// Takes the table of a snapshot, except the entries that this process has already changed.
    fileprivate mutating func load(_ snapshot: EntryTable?, _ stamps: DirectoryStamps) {
        isLoaded = true
        guard var table = snapshot else { return }
        for name in recent?.changed ?? [] {
            if let record = self.table[name] { table.insert(record, for: name) } else { table.remove(name) }
        }
        (self.table, self.stamps) = (table, stamps)
    }

    /// - Returns: nil when the table is up to date: it is complete, there is no new mark of a guest, and no caller
    ///   waits for totals.
    fileprivate mutating func beginLook(_ mark: [UInt8]?, isAsked: Bool) -> Look? {
        guard isAsked || recent != nil || mark != self.mark else { return nil }
        // The listing that follows finds all earlier changes in the files.
        if isComplete { recent = DiskIndex.RecentChanges() } else { recent?.changed = [] }
        return Look(known: table, stamps: stamps, generation: generation)
    }

    fileprivate mutating func publish(_ new: EntryTable, listedCount: Int) {
        let (known, recent) = (table, self.recent ?? DiskIndex.RecentChanges())
        table = new
        for name in recent.changed {
            if let record = known[name] { table.insert(record, for: name) } else { table.remove(name) }
        }
        // In this order each use becomes the latest one, without a search for its place.
        for (name, date) in recent.used.sorted(by: { $0.value < $1.value }) { _ = table.use(name, at: date) }
        self.recent = nil
        isComplete = true
        unsavedCount += listedCount
    }
}
